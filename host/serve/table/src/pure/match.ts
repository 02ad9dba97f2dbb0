// The match as one viewer was told it, and how changes add up to it.
import type { Asking, Catalogue, Change, Plain, PhaseAbout, SeenDeck, Told, UndoWish, View } from "../protocol.ts";

/** An entity as it was told last. Attributes at their kind's default may be absent. */
export type Seen = {
    readonly entity: number;
    readonly kind: string;
    readonly label: string;
    readonly attributes: Readonly<Record<string, Plain>>;
    readonly hidden: readonly string[];
};

export type Match = {
    readonly game: string | null;
    readonly seq: number;
    readonly entities: ReadonlyMap<number, Seen>;
    readonly phases: readonly PhaseAbout[];
    readonly turn: string | null;
    readonly decks: readonly SeenDeck[];
    /** The events that are known here, in order; the first may not be number 1. */
    readonly events: readonly Told[];
    readonly timeline: number;
    readonly ask: Asking | null;
    readonly wish: UndoWish | null;
};

export const NO_MATCH: Match = {
    game: null,
    seq: 0,
    entities: new Map(),
    phases: [],
    turn: null,
    decks: [],
    events: [],
    timeline: 0,
    ask: null,
    wish: null,
};

/** Whether a change follows on what is known, was known already, or leaves a gap. */
export function fitOf(match: Match, change: Change): "next" | "old" | "gap" {
    if (change.whole) return "next";
    if (change.game !== match.game) return "gap";
    if (change.seq <= match.seq) return "old";
    return change.seq === match.seq + 1 ? "next" : "gap";
}

/** The match after a change. Entities that did not change stay the same objects. */
export function changed(match: Match, change: Change): Match {
    const before = change.whole ? { ...NO_MATCH } : match;
    return {
        game: change.game,
        seq: change.seq,
        entities: entitiesAfter(before.entities, change),
        phases: change.phases ?? before.phases,
        turn: change.turn === undefined ? before.turn : change.turn,
        decks: change.decks ?? before.decks,
        events: change.news ? eventsAfter(before.events, change.news) : before.events,
        timeline: change.news?.timeline ?? before.timeline,
        ask: change.ask ?? before.ask,
        wish: change.wish === undefined ? before.wish : change.wish,
    };
}

function entitiesAfter(before: ReadonlyMap<number, Seen>, change: Change): ReadonlyMap<number, Seen> {
    if (!change.set?.length && !change.gone?.length) return before;
    const after = new Map(before);
    for (const gone of change.gone ?? []) after.delete(gone);
    for (const moved of change.set ?? []) {
        const known = after.get(moved.entity);
        const isNew = !known || (moved.kind !== undefined && moved.kind !== known.kind);
        after.set(moved.entity, {
            entity: moved.entity,
            kind: moved.kind ?? known?.kind ?? "",
            label: moved.label ?? known?.label ?? `#${moved.entity}`,
            attributes: isNew ? (moved.attributes ?? {}) : without({ ...known.attributes, ...moved.attributes }, moved.hidden),
            hidden: moved.hidden ?? (isNew ? [] : known.hidden),
        });
    }
    return after;
}

function without(attributes: Record<string, Plain>, hidden: string[] | undefined): Record<string, Plain> {
    for (const name of hidden ?? []) delete attributes[name];
    return attributes;
}

/** Events from a number on replace those that were there. */
export function eventsAfter(before: readonly Told[], news: { from: number; events: readonly Told[] }): readonly Told[] {
    const kept = before.filter((event) => event.number < news.from);
    return [...kept, ...news.events];
}

/** Events that came before those that are known. */
export function withEarlier(match: Match, earlier: readonly Told[]): Match {
    const first = match.events[0]?.number ?? Number.POSITIVE_INFINITY;
    return { ...match, events: [...earlier.filter((event) => event.number < first), ...match.events] };
}

/** A view of another moment, as a match in which nobody is asked anything. */
export function ofView(view: View, match: Match): Match {
    const seen = view.entities.map((one) => [one.handle, { entity: one.handle, kind: one.kind, label: one.label, attributes: one.attributes, hidden: one.hidden }] as const);
    const turn = view.turn ?? null;
    return { ...match, entities: new Map(seen), phases: view.phases, turn, decks: view.decks, ask: null, wish: null };
}

/** What an attribute holds, as far as the viewer knows: also where it stands at its default. */
export function valueOf(catalogue: Catalogue, seen: Seen, name: string): Plain | undefined {
    if (seen.hidden.includes(name)) return undefined;
    return seen.attributes[name] ?? catalogue.kinds[seen.kind]?.attributes[name]?.default;
}

/** A text attribute, where it holds one. */
export function textOf(catalogue: Catalogue, seen: Seen, name: string): string | null {
    const value = valueOf(catalogue, seen, name);
    return typeof value === "string" && value !== "" ? value : null;
}

/** What the viewer must decide, told from what it must not. */
export function isAsked(ask: Asking | null): boolean {
    return ask !== null && ask.prompt !== "wait" && ask.prompt !== "over";
}

/** The sides that an ask is for. */
export function sidesAsked(ask: Asking | null): string[] {
    if (!ask) return [];
    if (ask.prompt === "act") return ask.sides;
    if (ask.prompt === "react") return [ask.side];
    if (ask.prompt === "answer") return ask.question.asked.map((asked) => asked.side);
    return [];
}
