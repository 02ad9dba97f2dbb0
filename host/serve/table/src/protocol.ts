// What crosses the line beyond the schema of requests: the changes that a
// follower is told, the catalogue, and what is drawn around a piece.
import type { AskChange, BotSort, Called, EventLine, PhaseChange, Plain, ProposalEnd, Reloaded, Role, Seat, SeenDeck, SideAbout, Trouble, UndoPolicy, UndoProposal } from "./wire.ts";

export type * from "./wire.ts";

/** An attribute of a kind, as its mod declares it. */
export type AttributeAbout = { type: string; doc: string; default: Plain; is_bookkeeping?: boolean };

/** How things of a kind are drawn, and from which attributes. */
export type DrawingRole =
    | { role: "area"; shape: string; sort?: string | null }
    | { role: "piece"; at: string; facing?: string | null; home?: Record<string, string> }
    | { role: "group" }
    | { role: "none" };

/** A kind of things. */
export type KindAbout = { title: string; attributes: Record<string, AttributeAbout> } & DrawingRole;

/** What a front-end must know once to read and draw all that it is told later. */
export type Catalogue = {
    title: string;
    text: string;
    selector: string;
    sides: SideAbout[];
    table: [number, number];
    metric: boolean;
    hexes: "flat" | null;
    turns?: number | null;
    secrets: boolean;
    undo: UndoPolicy;
    kinds: Record<string, KindAbout>;
    phases: Record<string, string>;
    actions: Record<string, string>;
};

/** How deep in the narration an event lies. */
export type Depth = "story" | "volley" | "full";

/** Something that happened, as far as a log shows it. */
export type LoggedEvent = Required<EventLine> & { number: number; depth: Depth };

/** What has changed for a viewer; what is not there is as it was. */
export type Change = {
    viewer?: string;
    game?: string;
    seq: number;
    whole?: boolean;
    called?: Record<string, Called>;
    set?: Record<string, Record<string, Plain>>;
    hidden?: Record<string, string[]>;
    gone?: number[];
    phases?: PhaseChange;
    turn?: string | null;
    decks?: SeenDeck[];
    bots?: Record<string, BotSort>;
    timeline?: number;
    last?: number;
    events?: EventLine[];
    ask?: AskChange;
    wish?: UndoProposal | null;
    wish_ended?: ProposalEnd;
};

/** What a connection may do, once it has shown its token. */
export type Welcome = { protocol: number; role: Role; at: Seat; viewer: string; game: string | null };

/** What the rules draw around a piece that is chosen. */
export type Around = {
    rings: { title: string; radius: number }[];
    arcs: { title: string; radius: number; from: number; to: number }[];
    areas: { title: string; shape: Plain }[];
};

/** What may come of an action, and how likely. */
export type Odds = { outcomes: { outcome: string; odds: string; decimal: string; range?: string | null }[]; exact: boolean; how: string; mean?: string | null; questions: string[] };

/** The notifications of a server. */
export type Notice =
    | { method: "change"; params: Change }
    | { method: "reloaded"; params: Reloaded }
    | { method: "fault"; params: Trouble }
    | { method: "revoked"; params: unknown }
    | { method: "undo"; params: { viewer: string; wish: UndoProposal | null } };
