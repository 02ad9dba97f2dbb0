// The match as one viewer was told it, and how changes add up to it.
import type { AskChange, Asking, Catalogue, Change, Event, EventLine, Plain, PhaseChange, SeenDeck, LoggedEvent, UndoProposal, View } from "../protocol.ts";
import { entitiesIn } from "./format.ts";

/** An entity as it was told last. Attributes at their kind's default may be absent. */
export type Seen = {
    readonly entity: number;
    readonly kind: string;
    readonly label: string;
    readonly attributes: Readonly<Record<string, Plain>>;
    readonly hidden: readonly string[];
};

/** A phase that is open, and which round it is, where it comes again and again. */
export type OpenPhase = { readonly id: string; readonly round: number | null };

export type Match = {
    readonly game: string | null;
    readonly seq: number;
    readonly entities: ReadonlyMap<number, Seen>;
    /** What everything was called last that was ever seen: values name it by its number. */
    readonly names: ReadonlyMap<number, string>;
    /** The phases that are open, outermost first, by their ids. */
    readonly phases: readonly OpenPhase[];
    readonly turn: string | null;
    readonly decks: readonly SeenDeck[];
    /** The events that are known here, in order; the first may not be number 1. */
    readonly events: readonly LoggedEvent[];
    readonly timeline: number;
    readonly ask: Asking | null;
    readonly proposal: UndoProposal | null;
};

export const NO_MATCH: Match = {
    game: null,
    seq: 0,
    entities: new Map(),
    names: new Map(),
    phases: [],
    turn: null,
    decks: [],
    events: [],
    timeline: 0,
    ask: null,
    proposal: null,
};

/** Whether a change follows on what is known, was known already, or leaves a gap. */
export function fitOf(match: Match, change: Change): "next" | "old" | "gap" {
    if (change.whole) return "next";
    if (match.game === null || (change.game !== undefined && change.game !== match.game)) return "gap";
    if (change.seq <= match.seq) return "old";
    return change.seq === match.seq + 1 ? "next" : "gap";
}

/** The match after a change. Entities that did not change stay the same objects. */
export function changed(match: Match, change: Change): Match {
    const before = change.whole ? { ...NO_MATCH } : match;
    const names = namesAfter(before.names, change);
    return {
        game: change.game ?? before.game,
        seq: change.seq,
        entities: entitiesAfter(before.entities, change, names),
        names,
        phases: change.phases ? phasesAfter(before.phases, change.phases) : before.phases,
        turn: change.turn === undefined ? before.turn : change.turn,
        decks: change.decks ?? before.decks,
        events: change.last === undefined ? before.events : eventsAfter(before.events, linesUpTo(change.last, change.events ?? [])),
        timeline: change.timeline ?? before.timeline,
        ask: change.ask ? askAfter(before.ask, change.ask) : before.ask,
        proposal: change.wish === undefined ? before.proposal : change.wish,
    };
}

function namesAfter(before: ReadonlyMap<number, string>, { called }: Change): ReadonlyMap<number, string> {
    if (!called) return before;
    return new Map([...before, ...Object.entries(called).map(([number, { label }]) => [Number(number), label] as const)]);
}

function entitiesAfter(before: ReadonlyMap<number, Seen>, change: Change, names: ReadonlyMap<number, string>): ReadonlyMap<number, Seen> {
    const { called = {}, set = {}, hidden = {}, gone = [] } = change;
    const moved = new Set([called, set, hidden].flatMap(Object.keys));
    if (moved.size === 0 && gone.length === 0) return before;
    const after = new Map(before);
    for (const number of gone) after.delete(number);
    for (const number of moved) {
        const entity = Number(number);
        const name = called[number];
        const known = name?.kind ? undefined : after.get(entity);
        const attributes = { ...known?.attributes, ...named(set[number] ?? {}, names) };
        for (const one of hidden[number] ?? []) delete attributes[one];
        after.set(entity, { entity, kind: name?.kind ?? known?.kind ?? "", label: names.get(entity) ?? `#${entity}`, attributes, hidden: hidden[number] ?? known?.hidden ?? [] });
    }
    return after;
}

/** A value in which every entity has its name. */
function named<Of extends Plain | Record<string, Plain>>(value: Of, names: ReadonlyMap<number, string>): Of {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item) => named(item, names)) as Of;
    if ("entity" in value && typeof value.entity === "number") return { label: names.get(value.entity) ?? `#${value.entity}`, ...value };
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, named(item as Plain, names)])) as Of;
}

function phasesAfter(before: readonly OpenPhase[], { closed = 0, opened = [], rounds = {} }: PhaseChange): readonly OpenPhase[] {
    return [...before.slice(0, before.length - closed), ...opened.map((id) => ({ id, round: rounds[id] ?? null }))];
}

/** A prompt may be the same as before, but for its number. */
function askAfter(before: Asking | null, ask: AskChange): Asking | null {
    if ("prompt" in ask) return ask;
    return before && { ...before, ...ask };
}

/** The last lines up to a number, with the numbers that they have. */
function linesUpTo(last: number, lines: readonly EventLine[]): { from: number; events: LoggedEvent[] } {
    const from = last - lines.length + 1;
    const logged = (line: EventLine, at: number): LoggedEvent => ({ number: from + at, kind: line.kind ?? "", text: line.text ?? [], depth: line.depth ?? "full", rule: line.rule ?? null, of: line.of ?? [] });
    return { from, events: lines.map(logged) };
}

/** What a log shows of an event that was told as a whole. */
export function lineOfEvent({ number, kind, text, depth, rule, fields }: Event): LoggedEvent {
    return { number, kind, text, depth, rule: rule ?? null, of: [...new Set(Object.values(fields).flatMap(entitiesIn))] };
}

/** Events from a number on replace those that were there. */
export function eventsAfter(before: readonly LoggedEvent[], news: { from: number; events: readonly LoggedEvent[] }): readonly LoggedEvent[] {
    const kept = before.filter((event) => event.number < news.from);
    return [...kept, ...news.events];
}

/** The number of the first event that is known; 1 where none is. */
export function firstKnown(match: Match): number {
    return match.events[0]?.number ?? 1;
}

/** Events that came before those that are known, if no gap is left between both. */
export function withEarlier(match: Match, earlier: readonly LoggedEvent[]): Match {
    const first = firstKnown(match);
    const before = earlier.filter((event) => event.number < first);
    return before.at(-1)?.number === first - 1 ? { ...match, events: [...before, ...match.events] } : match;
}

/** Whether what both tell of an event is the same. */
export function isSameEvent(a: Match, b: Match, event: number): boolean {
    const told = ({ events }: Match) => JSON.stringify(events.find(({ number }) => number === event));
    return told(a) === told(b);
}

/** A view of another moment, as a match in which nobody is asked anything. */
export function ofView(view: View, match: Match): Match {
    const seen = view.entities.map((one) => [one.handle, { entity: one.handle, kind: one.kind, label: one.label, attributes: one.attributes, hidden: one.hidden }] as const);
    const turn = view.turn ?? null;
    return { ...match, entities: new Map(seen), phases: view.phases.map(({ id, round = null }) => ({ id, round })), turn, decks: view.decks, ask: null, proposal: null };
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

/** No prompt has this number. */
const NO_ASK = 0;

/**
 * The number of a prompt that was decided on, when that is said. A server that
 * took the match up again counts anew: there the number is that of the same
 * prompt, if it stands, and else none, so that nothing else is decided by it.
 */
export function numberNow(then: Match, now: Match): number {
    if (then.game === now.game) return then.ask?.ask ?? NO_ASK;
    const isSame = then.ask && now.ask && JSON.stringify({ ...then.ask, ask: NO_ASK }) === JSON.stringify({ ...now.ask, ask: NO_ASK });
    return isSame && now.ask ? now.ask.ask : NO_ASK;
}

/** The sides that an ask is for. */
export function sidesAsked(ask: Asking | null): string[] {
    if (!ask) return [];
    if (ask.prompt === "act") return ask.sides;
    if (ask.prompt === "react") return [ask.side];
    if (ask.prompt === "answer") return ask.question.asked.map((asked) => asked.side);
    return [];
}

/** The phases that are open in words: the turn that is on, if any is counted, and the innermost; else the two innermost. */
export function phasesInWords(phases: readonly OpenPhase[], catalogue: Catalogue | null): string[] {
    const titled = phases.flatMap(({ id, round }) => {
        const title = catalogue?.phases[id];
        return title ? [{ title, round }] : [];
    });
    const counted = titled.find(({ round }) => round !== null);
    const shown = counted ? [counted, ...titled.slice(titled.indexOf(counted) + 1).slice(-1)] : titled.slice(-2);
    const last = catalogue?.turns ?? 0;
    const inWords = ({ title, round }: { title: string; round: number | null }) => (round === null ? title : `${title} ${round}`);
    const words = shown.map((phase) => (phase === counted && (phase.round ?? 0) <= last ? `${inWords(phase)} of ${last}` : inWords(phase)));
    return words.filter((word, at) => words.indexOf(word) === at);
}
