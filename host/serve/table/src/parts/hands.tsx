// Hands of cards below the board: the viewer's own face up, others' as counts,
// and the decks.
import { useMemo } from "preact/hooks";
import { useRead, useTable } from "./held.ts";
import { SideChip, titleOf } from "./top.tsx";
import { numberedAmongEquals, countOf } from "../pure/acting.ts";
import { deckInWords, handInWords, handsOf, type Hand } from "../pure/cards.ts";
import { count } from "../pure/format.ts";

export function Hands() {
    const match = useRead((state) => state.past?.match ?? state.match);
    const catalogue = useRead((state) => state.catalogue);
    const measure = useRead((state) => state.measure);
    const viewer = useRead((state) => state.viewer);
    const hands = useMemo(() => (catalogue ? handsOf(match, catalogue, measure) : []), [match.entities, match.decks, catalogue, measure]);
    if (match.decks.length === 0) return null;
    const own = hands.filter((hand) => hand.side === viewer);
    const others = hands.filter((hand) => hand.side !== viewer);
    return (
        <section class="hands" aria-label="Cards">
            {own.map((hand) => <OwnHand key={hand.entity} hand={hand} />)}
            <ul class="others" aria-label="On the table">
                {others.map((hand) => <li key={hand.entity}><OtherHand hand={hand} /></li>)}
                {match.decks.map((deck) => <li key={`${deck.deck} ${deck.of}`}>{deck.of && <SideChip side={deck.of} text={titleOf(catalogue, deck.of)} />}<span>{deckInWords(deck)}</span></li>)}
            </ul>
        </section>
    );
}

function OwnHand({ hand }: { hand: Hand }) {
    const cards = numberedAmongEquals((hand.cards ?? []).map((card) => ({ value: card, label: card })));
    return (
        <div class="own">
            <ul class="cards" aria-label={`Your hand, ${count(cards.length, "card")}`}>
                {cards.map(({ choice, nth }) => <li key={`${choice.label} ${nth}`}><Card card={choice.label} nth={nth} /></li>)}
                {cards.length === 0 && <li class="note">Your hand is empty.</li>}
            </ul>
            {hand.facts.length > 0 && <small>{hand.facts.join(" · ")}</small>}
        </div>
    );
}

/** A card of one's own: what is asked for, or what orders it has. */
function Card({ card, nth }: { card: string; nth: number }) {
    const table = useTable();
    const isSending = useRead((state) => state.isSending);
    const isTaken = useRead((state) => state.cardUses.has(card) && !state.acting && !state.past);
    const isAsked = useRead((state) => (state.acting || state.match.ask ? table.asksCard(card) : false));
    const isPicked = useRead((state) => countOf(state.draft.list, card) > nth);
    const isChosen = useRead((state) => state.chosenCard === card);
    const does = isPicked ? "picked" : isAsked ? "target" : isTaken ? "able" : "idle";
    const says = { picked: "chosen", target: "can be chosen", able: "can be played", idle: "cannot be played now" }[does];
    return (
        <button type="button" class={`card as-${does}`} disabled={isSending || does === "idle"} aria-pressed={isPicked || isChosen} aria-label={`${card}, ${says}`} onClick={() => table.pressCard(card, isPicked)}>
            {card}
        </button>
    );
}

function OtherHand({ hand }: { hand: Hand }) {
    const catalogue = useRead((state) => state.catalogue);
    const facts = hand.facts.join(" · ");
    return (
        <span class="other">
            {hand.side ? <SideChip side={hand.side} text={titleOf(catalogue, hand.side)} /> : <b>{hand.label}</b>}
            <span>{hand.cards === null ? handInWords(hand) : hand.cards.join(", ") || "no cards"}</span>
            {facts && <small>{facts}</small>}
        </span>
    );
}

/** The orders that the chosen card has. */
export function useCardOrders() {
    const card = useRead((state) => state.chosenCard);
    const uses = useRead((state) => state.cardUses);
    return card === null ? null : { card, actions: uses.get(card) ?? [] };
}

