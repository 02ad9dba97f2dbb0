// Cards: what each side holds, as far as the viewer was told, and the piles of
// the decks. A hand is a list of texts that its kind calls `hand`, or `cards` of
// a kind that is a hand; of one that is hidden the kind may tell how many there are.
import type { AttributeAbout, Catalogue, KindAbout, Plain, SeenDeck } from "../protocol.ts";
import { attribute, capital, count, list, words, type Measure } from "./format.ts";
import { textOf, valueOf, type Match, type Seen } from "./match.ts";

/** A hand of cards. */
export type Hand = {
    readonly entity: number;
    /** What its holder is called. */
    readonly label: string;
    readonly side: string | null;
    /** The cards, where the viewer may see them. */
    readonly cards: readonly string[] | null;
    /** How many there are; `null` where that is not told either. */
    readonly count: number | null;
    /** What else everybody knows of its holder, in words. */
    readonly facts: readonly string[];
};

/** The hands of a game with decks; a game without has none. */
export function handsOf(match: Match, catalogue: Catalogue, measure: Measure): Hand[] {
    if (match.decks.length === 0) return [];
    const order = catalogue.sides.map((side) => side.id);
    const hands = [...match.entities.values()].flatMap((seen) => {
        const kind = catalogue.kinds[seen.kind];
        return kind ? Object.entries(kind.attributes).flatMap(([name, about]) => (isHand(seen.kind, name, about) ? [handOf(seen, kind, name, catalogue, measure)] : [])) : [];
    });
    const place = ({ side }: Hand) => (side === null ? order.length : order.indexOf(side));
    return hands.sort((a, b) => place(a) - place(b) || a.entity - b.entity);
}

function isHand(kind: string, name: string, { type }: AttributeAbout): boolean {
    return type === "list(text)" && (/(^|_)hand$/.test(name) || (name === "cards" && /hand$/.test(kind)));
}

function handOf(seen: Seen, kind: KindAbout, name: string, catalogue: Catalogue, measure: Measure): Hand {
    const value = valueOf(catalogue, seen, name);
    const cards = Array.isArray(value) ? value.filter((card) => typeof card === "string") : null;
    const counted = countedBy(kind, name);
    const told = counted === null ? undefined : valueOf(catalogue, seen, counted);
    const rest = Object.keys(kind.attributes).filter((one) => one !== name && one !== counted && one !== "side");
    return {
        entity: seen.entity,
        label: seen.label,
        side: textOf(catalogue, seen, "side"),
        cards,
        count: cards?.length ?? (typeof told === "number" ? told : null),
        facts: rest.flatMap((one) => (kind.attributes[one]?.is_bookkeeping ? [] : factOf(one, valueOf(catalogue, seen, one), measure))),
    };
}

/** The attribute that counts a hand, if one does. */
function countedBy(kind: KindAbout, name: string): string | null {
    const names = ["held", `${name}_size`, `${name}_count`];
    return names.find((one) => kind.attributes[one]?.type.startsWith("integer")) ?? null;
}

/** Nothing, no, none and empty lists tell nothing. */
function factOf(name: string, value: Plain | undefined, measure: Measure): string[] {
    const isSilent = value === undefined || value === null || value === false || value === 0 || value === "" || value === "none" || (Array.isArray(value) && value.length === 0);
    return isSilent ? [] : [attribute(name, value, measure)];
}

/** A deck in words: how many are to be drawn, how many are laid down and which of these lies on top. */
export function deckInWords({ deck, stock, discard }: SeenDeck): string {
    const drawn = stock.size === null || stock.size === undefined ? [] : [`${stock.size} to draw`];
    const top = discard.cards?.[0];
    const laid = discard.size === null || discard.size === undefined || discard.size === 0 ? [] : [`${discard.size} laid down${top === undefined ? "" : `, ${top} on top`}`];
    return `${capital(words(deck))}: ${list([...drawn, ...laid]) || "nobody knows how many"}`;
}

/** A hand that is not seen, in words. */
export function handInWords({ count: cards }: Hand): string {
    return cards === null ? "hidden cards" : count(cards, "card");
}

/** The choice of a card among those of a domain. */
export function cardIn<Of extends { value: Plain }>(choices: readonly Of[], card: string): Of | undefined {
    return choices.find((choice) => choice.value === card);
}

/** Whether what is asked first of an action may be a card. */
export function asksForCards(type: string | undefined): boolean {
    return type !== undefined && /^(text|list\(text\))\??$/.test(type);
}
