// All that the screen knows: what was told, what is chosen, what is being done.
import type { Acting, Judgement } from "./pure/acting.ts";
import type { Board } from "./pure/board.ts";
import type { Measure } from "./pure/format.ts";
import { frameOf, type Frame, type Spot } from "./pure/geometry.ts";
import { NO_MATCH, type Match } from "./pure/match.ts";
import type { Hue } from "./pure/symbols.ts";
import type { LineState } from "./line.ts";
import type { Action, Around, Catalogue, Depth, Difference, FaultAbout, Legal, ModRules, Odds, Outlook, Plain, Welcome, WhyAbout } from "./protocol.ts";

/** Why no chances can be told, where somebody wants to see them first. */
export type NoOdds = { readonly reason: string };

/** A short notice that goes away by itself; with something to do about it, it stays longer. */
export type Toast = { readonly id: number; readonly tone: "info" | "good" | "bad"; readonly title: string; readonly lines: readonly string[]; readonly action?: ToastAction | undefined };

export type ToastAction = { readonly title: string; readonly run: () => void };

/** Two courses of the game, where a changed rule parts them; the boards come when they are looked at. */
export type Versions = { readonly difference: Difference; readonly before: Board | null; readonly after: Board | null };

/** Why an event came about. */
export type WhyState = { readonly event: number; readonly lines: readonly WhyAbout[] | null; readonly refused: string | null };

/** A file with a test: where it belongs, and what is to be said of it. */
export type Kept = { readonly path: string; readonly text: string; readonly words: string };

/** What is drawn on the board for the parameter that is asked. */
export type Draft = { readonly points: readonly Spot[]; readonly list: readonly Plain[]; readonly number: number | null };

export const NO_DRAFT: Draft = { points: [], list: [], number: null };

export type State = {
    readonly line: LineState;
    readonly role: Welcome["role"] | null;
    readonly sides: readonly string[];
    readonly viewer: string;
    /** The side whose hands the screen is in, while it is handed over. */
    readonly handOver: string | null;
    readonly catalogue: Catalogue | null;
    readonly match: Match;
    /** The moment that is looked at, if it is not now. */
    readonly past: { readonly at: number; readonly match: Match | null } | null;
    readonly frame: Frame;
    readonly board: Board;
    readonly hues: ReadonlyMap<string, Hue>;
    readonly measure: Measure;
    readonly chosen: number | null;
    readonly pointed: number | null;
    readonly highlighted: readonly number[];
    /** Where the choice lies that is pointed at in a list. */
    readonly spot: Spot | null;
    readonly around: Around | null;
    /** All that is allowed to whoever must decide here. */
    readonly allowed: Legal | null;
    /** All actions of the chosen piece, with what is refused. */
    readonly own: Legal | null;
    /** What each card of one's own may be used for. */
    readonly cardUses: ReadonlyMap<string, readonly Action[]>;
    /** The card whose orders are shown. */
    readonly chosenCard: string | null;
    readonly acting: Acting | null;
    readonly draft: Draft;
    readonly judgement: Judgement;
    /** Whether an action that is complete waits for a last word, with its chances. */
    readonly isCareful: boolean;
    readonly odds: Odds | NoOdds | "asking" | null;
    /** What the rules say of what there is to choose, by the value as JSON; of what is drawn under `drawn`. */
    readonly outlooks: Readonly<Record<string, Outlook>>;
    readonly isSending: boolean;
    readonly refusal: { readonly reason: string; readonly clause: string | null } | null;
    readonly depth: Depth;
    readonly search: string;
    readonly why: WhyState | null;
    readonly toasts: readonly Toast[];
    readonly faults: readonly FaultAbout[];
    readonly isMeasuring: boolean;
    readonly measured: readonly Spot[];
    /** The rules in force, once they were looked at. */
    readonly rules: readonly ModRules[] | null;
    readonly isChoosing: boolean;
    readonly versions: Versions | null;
    /** What was kept as a test, and what is to be said of it. */
    readonly kept: Kept | null;
    readonly isKeeping: boolean;
    /** Games that were opened beside this one. */
    readonly branches: readonly { readonly link: string; readonly text: string }[];
};

export const EMPTY_BOARD: Board = { areas: [], grounds: [], pieces: [], groups: new Map(), byId: new Map() };

export const START: State = {
    line: "opening",
    role: null,
    sides: [],
    viewer: "",
    handOver: null,
    catalogue: null,
    match: NO_MATCH,
    past: null,
    frame: frameOf([1_219_200, 1_219_200], null),
    board: EMPTY_BOARD,
    hues: new Map(),
    measure: "in",
    chosen: null,
    pointed: null,
    highlighted: [],
    spot: null,
    around: null,
    allowed: null,
    own: null,
    cardUses: new Map(),
    chosenCard: null,
    acting: null,
    draft: NO_DRAFT,
    judgement: { verdict: "none" },
    isCareful: false,
    odds: null,
    outlooks: {},
    isSending: false,
    refusal: null,
    depth: "full",
    search: "",
    why: null,
    toasts: [],
    faults: [],
    isMeasuring: false,
    measured: [],
    rules: null,
    isChoosing: false,
    versions: null,
    kept: null,
    isKeeping: false,
    branches: [],
};
