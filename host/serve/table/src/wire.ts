// Generated from schemas/json/rpc.json by `npm run types`; not to be edited.

/** What a match is. */
export type About = {
    /** The version of the engine. */
    engine: string;
    /** Where the journal is kept, if one is. */
    journal?: (string | null);
    /** Whether players measure in centimetres. */
    metric: boolean;
    /** The mods, in order. */
    mods: ModAbout[];
    /** What came along or fell away because of what clauses require. */
    notes: string[];
    /** The scenario's id. */
    scenario: string;
    /** Whether sides may have secrets from each other. */
    secrets: boolean;
    /** The seed, for the referee alone: who knows it knows the dice to come. */
    seed?: (number | null);
    /** The mods and clauses in use, in one line that can be given back. */
    selector: string;
    /** The sides, in order. */
    sides: SideAbout[];
    /** The table: width and depth in micrometres. */
    table: [number, number];
    /** What it shows. */
    text: string;
    /** Its title. */
    title: string;
    /** How many turns the game is to last, if it is said. */
    turns?: (number | null);
    /** Who may take play back. */
    undo: UndoPolicy;
};

/** An action or reaction that a side might take. */
export type Action = {
    /** The one who would act, if somebody in particular does. */
    actor?: (Plain | null);
    /** The id of the action or reaction. */
    id: string;
    /** The parameters that may be asked for, in order. */
    params: ParamAbout[];
    /** Why it is not allowed; nothing if it is. */
    refused?: (string | null);
    /** What players call it. */
    title: string;
};

/** A part of a circle around a piece, clockwise from one direction to another. */
export type ArcAbout = {
    /** Where it begins, in minutes of arc clockwise from north. */
    from: number;
    /** Its radius in micrometres. */
    radius: number;
    /** What it means. */
    title: string;
    /** Where it ends. */
    to: number;
};

/** What a rule draws around a piece that is chosen. */
export type Around = {
    /** Parts of circles around it. */
    arcs: ArcAbout[];
    /** Ground that matters to it. */
    areas: ReachAbout[];
    /** Circles around it. */
    rings: RingAbout[];
};

/** What the viewer must decide, as far as that is new. */
export type AskChange = (Asking | {
    /** The number that it has now. */
    ask: number;
});

/** One side's part of a question. */
export type Asked = {
    /** What may be answered. */
    domain: Domain;
    /** The side. */
    side: string;
};

/** What a viewer must decide, with the number by which it is told from what
 *  the viewer must decide at another time. */
export type Asking = ({
    /** The phase. */
    phase: string;
    prompt: "act";
    /** The sides that may. */
    sides: string[];
    /** What players call it. */
    title: string;
} | {
    /** What it carries, as far as the viewer may know it. */
    about: { [name: string]: Plain };
    prompt: "react";
    /** The side. */
    side: string;
    /** The moment as a player would say it: the title, with what the viewer may know of it. */
    text: string;
    /** What players call the moment. */
    title: string;
    /** The window. */
    window: string;
} | {
    prompt: "answer";
    /** The question. */
    question: Question;
} | {
    prompt: "wait";
} | {
    prompt: "over";
    /** Its result. */
    result: Plain;
}) & {
    /** The number: it changes with this prompt, and with nothing else. */
    ask: number;
};

/** An attribute of a kind, as its mod declares it. */
export type AttributeAbout = {
    /** What it holds when nothing is said. */
    default: Plain;
    /** One sentence, with its unit. */
    doc: string;
    /** Whether it is bookkeeping of the rules, to be shown to who asks for it. */
    is_bookkeeping?: boolean;
    /** What fits in it, as mods write types. */
    type: string;
};

/** How a bot decides. */
export type BotSort = ("random" | "greedy");

/** A match that was opened beside another. */
export type Branched = {
    /** How many decisions of this match it goes on from. */
    decisions: number;
    /** The room that it is in: it stands in the path of a connection. */
    room: string;
    /** What opens a seat at all its sides. */
    token: string;
};

/** The methods and what they take. */
export type Call = ({
    method: "hello";
    params: Hello;
} | {
    method: "about";
    params: Look;
} | {
    method: "standing";
    params: Look;
} | {
    method: "prompt";
    params: Look;
} | {
    method: "catalogue";
    params: Look;
} | {
    method: "legal";
    params: LegalOf;
} | {
    method: "next_param";
    params: NextParamOf;
} | {
    method: "outlook";
    params: NextParamOf;
} | {
    method: "odds";
    params: OddsAs;
} | {
    method: "submit";
    params: Submission;
} | {
    method: "view";
    params: LookBack;
} | {
    method: "chart";
    params: PieceOf;
} | {
    method: "news";
    params: Since;
} | {
    method: "decisions";
    params: Look;
} | {
    method: "why";
    params: Why;
} | {
    method: "rules";
    params: Record<never, never>;
} | {
    method: "undo";
    params: Undo;
} | {
    method: "decline_undo";
    params: DeclineUndo;
} | {
    method: "subscribe";
    params: Look;
} | {
    method: "unsubscribe";
    params: Look;
} | {
    method: "follow";
    params: Follow;
} | {
    method: "unfollow";
    params: Look;
} | {
    method: "redo";
    params: Record<never, never>;
} | {
    method: "bot_turn";
    params: Record<never, never>;
} | {
    method: "bots";
    params: Record<never, never>;
} | {
    method: "set_bot";
    params: SetBot;
} | {
    method: "reload";
    params: ReloadTo;
} | {
    method: "choose";
    params: Choosing;
} | {
    method: "as_test";
    params: TestRequest;
} | {
    method: "as_case";
    params: CaseRequest;
} | {
    method: "branch";
    params: LookBack;
} | {
    method: "hash";
    params: Record<never, never>;
} | {
    method: "seats";
    params: Record<never, never>;
} | {
    method: "revoke_seat";
    params: SeatNumber;
} | {
    method: "scenarios";
    params: Record<never, never>;
} | {
    method: "start";
    params: Start;
} | {
    method: "load";
    params: LoadParams;
} | {
    method: "resume";
    params: ResumeParams;
} | {
    method: "save";
    params: File;
} | {
    method: "watch";
    params: Watch;
} | {
    method: "give_seat";
    params: Seat;
});

/** What an entity is called. */
export type Called = {
    /** Its kind, of one that is new. */
    kind?: (string | null);
    /** Its name, or `#` and the number. */
    label: string;
};

/** A moment that is to be kept as a case. */
export type CaseRequest = {
    /** The event that it must show, by the referee's own number; the last one,
     *  if it is left out. */
    event?: (number | null);
    /** Its id: one word of lower case letters, digits, `-` and `_`. */
    id: string;
    /** The mod whose test it becomes; that of the scenario, if it is left out. */
    mod?: (string | null);
    /** Its title; the id and what it shows, if it is left out. */
    title?: (string | null);
};

/** The words and shapes of a match. It changes only when its mods do. */
export type Catalogue = {
    /** What actions and reactions are called, by id. */
    actions: { [name: string]: string };
    /** How hexes lie, if the mods have any. */
    hexes?: (HexLayout | null);
    /** The kinds of things, by id. */
    kinds: { [name: string]: KindAbout };
    /** Whether players measure in centimetres. */
    metric: boolean;
    /** What phases are called, by id. */
    phases: { [name: string]: string };
    /** Whether sides may have secrets from each other. */
    secrets: boolean;
    /** The mods and clauses in use, in one line. */
    selector: string;
    /** The sides, in order. */
    sides: SideAbout[];
    /** The table: width and depth in micrometres, from its lower left corner. */
    table: [number, number];
    /** What it shows. */
    text: string;
    /** The scenario's title. */
    title: string;
    /** How many turns the game is to last, if it is said. */
    turns?: (number | null);
    /** Who may take play back. */
    undo: UndoPolicy;
};

/** A change as it is told: whose it is, of which game, and its number. */
export type ChangeNotice = {
    /** What the viewer must decide. */
    ask?: (AskChange | null);
    /** Which sides bots play, and how these decide; people play all others. */
    bots?: ({ [name: string]: BotSort } | null);
    /** Entities that are new, or called otherwise, by the viewer's numbers. */
    called?: { [name: string]: Called };
    /** The decks of the game. */
    decks?: (SeenDeck[] | null);
    /** The last events up to `last`, if the client asked for them: they replace
     *  all that had their numbers, or larger ones. */
    events?: EventDetail[];
    /** The game, with everything: later changes are of the same. */
    game?: (string | null);
    /** Entities that are gone from the viewer's sight, by its numbers. */
    gone?: number[];
    /** All attributes of an entity that are hidden from the viewer, where these
     *  are others than before. */
    hidden?: { [name: string]: string[] };
    /** The number of the last event that the viewer was told of. */
    last?: (number | null);
    /** Which phases are over, and which are open instead. */
    phases?: (PhaseChange | null);
    /** Its number, from 1: the next one is one more, or whole. */
    seq: number;
    /** The attributes that hold something else now, by entity and name. */
    set?: { [name: string]: { [name: string]: Plain } };
    /** The timeline of what has happened, where it is another: some of what
     *  was told was taken back. */
    timeline?: (number | null);
    /** Whose go it is, as far as that is public; null if it is nobody's. */
    turn?: (string | null);
    /** As whom it is seen; not there where that is the viewer that `hello` told this
     *  connection before it followed, unless this is everything. */
    viewer?: (string | null);
    /** Whether this is all there is: what was told before is to be forgotten.
     *  Attributes that hold what their kind says are left out then, as they
     *  are of entities that are new. */
    whole?: boolean;
    /** What a side has asked to take back; null if none does any more. */
    wish?: (UndoProposal | null);
    /** How what was asked to be taken back came to its end, with a `wish` that
     *  is null. */
    wish_ended?: (ProposalEnd | null);
};

/** What a reload changed. */
export type Changes = {
    /** Clauses that are in use. */
    clauses: Delta;
    /** Actions, reactions, phases, windows, events, pots, decks and options. */
    declared: Delta;
    /** Files that changed outside of any registration: helpers, constants,
     *  comments; and components, of which only the whole is known. */
    files: string[];
    /** Kinds and their attributes. */
    kinds: Delta;
    /** Mods whose files changed. */
    mods: string[];
    /** Rows of tables: `table [key]`, and what became of their cells. */
    rows: Delta;
    /** Rules. */
    rules: Delta;
};

/** One thing to choose. */
export type Choice = {
    /** What the player reads. */
    label: string;
    /** What is answered. */
    value: Plain;
};

/** Other clauses and options. */
export type Choosing = {
    /** Clauses, groups and mods to leave out, with all that requires them. */
    off?: string[];
    /** Clauses to take, groups (`iceburg:rfac`), and mods. */
    on?: string[];
    /** Options to set. */
    options?: { [name: string]: string };
    /** What becomes of the game so far. */
    past?: Past;
};

/** A clause: one fact of a printed rulebook. */
export type ClauseAbout = {
    /** Whether the mod makes no sense without it: it cannot be left out. */
    core: boolean;
    /** What it does to the rules under it. */
    effect: ClauseEffect;
    /** Its id: `iceburg.rfac.cost`. */
    id: string;
    /** Whether it is in force. */
    on: boolean;
    /** The clauses and groups (`mod:group`) that come along with it. */
    requires: string[];
    /** The printed source. */
    source: string;
    /** One plain sentence. */
    text: string;
    /** What people call it. */
    title: string;
};

/** What a clause does to the rules under it. */
export type ClauseEffect = ("adds" | "changes" | "confirms" | "advises");

/** A decision that stands, in the form that journals write, with what the
 *  viewer calls things. */
export type Decision = {
    /** The side. */
    by: string;
    /** Its number among the viewer's own, from 1; among all, for the referee. */
    number: number;
    /** What was decided. */
    text: string;
};

export type DeclineUndo = {
    /** A side; whose the seat is, if it is left out. */
    by?: (string | null);
    /** The number of what was asked; whatever is asked now, if it is left out. */
    number?: (number | null);
};

/** What is new, other than before, and gone. */
export type Delta = {
    /** What is new. */
    added: string[];
    /** What is other than before. */
    changed: string[];
    /** What is gone. */
    removed: string[];
};

/** How much changes tell of what has happened. */
export type Detail = ("none" | "lines" | "whole");

/** A shift of a die along its ladder. */
export type DieShift = {
    /** By how many steps. */
    by: number;
    /** The sides before. */
    from: number;
    /** Why. */
    reason: string;
    /** The sides after. */
    to: number;
};

/** Where two courses of a game part. */
export type Difference = {
    /** How it goes on now. */
    after: string[];
    /** The viewer's last event until then, as it is now: where to look back to. */
    at: number;
    /** How a report went on from there. */
    before: string[];
    /** The decision in which they do; 0 for what happens before the first. */
    decision: number;
    /** The turn and phase in which that was, as the heading of a report; nothing before the first. */
    heading?: (string | null);
    /** What that decision left otherwise on the table. */
    pieces: Parted[];
    /** What was decided, in the form that journals write. */
    text?: (string | null);
    /** The same in the words of a report. */
    words?: (string | null);
};

/** What may be answered, or given for a parameter. */
export type Domain = ({
    /** The choices. */
    choices: Choice[];
    domain: "choices";
} | {
    /** The choices. */
    choices: Choice[];
    domain: "several";
    /** At most so many. */
    max: number;
    /** At least so many. */
    min: number;
} | {
    domain: "integer";
    /** The largest. */
    max: number;
    /** The smallest. */
    min: number;
} | {
    /** Points that the rules suggest, in micrometres. */
    candidates: ([number, number])[];
    /** Whether a rule has the last word on what lies in the regions. */
    checked: boolean;
    domain: "place";
    /** The regions. */
    regions: Region[];
} | {
    /** Paths that the rules suggest. */
    candidates: (([number, number])[])[];
    /** Whether a rule has the last word. */
    checked: boolean;
    domain: "route";
    /** Where it starts, in micrometres. */
    from: [number, number];
    /** How many points at most. */
    legs: number;
});

/** How an input names an entity: by the viewer's number, by name, or as it
 *  was given out. */
export type EntityRef = (number | string | {
    /** The viewer's number. */
    entity?: (number | null);
    /** Its name. */
    label?: string;
});

/** Something that happened, as a viewer may know it. */
export type Event = {
    /** The shortest report that tells it. */
    depth: EventDepth;
    /** The first and last draw that it used, numbered for the viewer. */
    draws?: ([number, number] | null);
    /** Its fields; nothing for those hidden. */
    fields: { [name: string]: Plain };
    /** The fields that are hidden from the viewer. */
    hidden: string[];
    /** What sort. */
    kind: string;
    /** Its number among those that the viewer sees, from 1. */
    number: number;
    /** The innermost rule or clause that caused it. */
    rule?: (string | null);
    /** How a battle report tells it, in lines; empty for what it leaves out. */
    text: string[];
};

/** How deep into a report an event belongs. */
export type EventDepth = ("story" | "volley" | "full");

/** An event in a change. */
export type EventDetail = (Event | EventLine);

/** What a log shows of an event. Of one without words there is the sort alone. */
export type EventLine = {
    /** The shortest report that tells it, if that is not the full one. */
    depth?: (EventDepth | null);
    /** What sort. */
    kind?: string;
    /** The entities that it is about, by the viewer's numbers. */
    of?: number[];
    /** The innermost rule or clause that caused it. */
    rule?: (string | null);
    /** How a battle report tells it, in lines. */
    text?: string[];
};

/** A broken mod or file. */
export type FaultAbout = {
    /** The rule that called it, if another did. */
    caller?: (string | null);
    /** The clause that the function carries out in which it happened. */
    clause?: (string | null);
    /** Its code: `F021`. */
    code: string;
    /** The column, from 1. */
    column?: (number | null);
    /** The file, within the mod's folder. */
    file?: (string | null);
    /** How to mend it, if we can guess. */
    hint?: (string | null);
    /** The line, from 1. */
    line?: (number | null);
    /** What was expected and what was found. */
    message: string;
    /** The mod, if it is in one. */
    module?: (string | null);
    /** The rule that was running. */
    rule?: (string | null);
    /** Its short name: `unknown-rule`. */
    slug: string;
};

export type File = {
    /** The file. */
    path: string;
};

export type Follow = {
    /** How much changes tell of what has happened. */
    events?: Detail;
    /** The last change that the client has, after a line that broke. */
    have?: (Have | null);
    /** `referee`, `spectator`, or a side; the seat's only one, if it is left out. */
    viewer?: (string | null);
};

/** A seat that is given now. */
export type GivenSeat = {
    /** Its number. */
    number: number;
    /** What opens it. It is told once: only its hash is kept. */
    token: string;
};

/** A group of clauses. */
export type GroupAbout = {
    /** Its clauses. */
    clauses: ClauseAbout[];
    /** Its id: `iceburg.rfac`. */
    id: string;
    /** A sentence about it. */
    text: string;
    /** What people call it. */
    title: string;
};

/** The last change that a client has. */
export type Have = {
    /** The game, as the change named it. */
    game: string;
    /** The number of the change. */
    seq: number;
};

export type Hello = {
    /** How much changes tell of what has happened, if it follows. */
    events?: Detail;
    /** With it, the client follows from now on, as by `follow`, and is given
     *  the catalogue: the last change that it has, or null if it has none. */
    have?: (Have | null);
    /** The version of the messages that the client speaks; another than the
     *  server's is refused. */
    protocol?: (number | null);
    /** What the host gave. */
    token?: (string | null);
};

/** How the hexes of a map lie: `q` grows to the south-east, `r` to the south. */
export type HexLayout = ("flat");

/** A decision of a side: the only thing that moves a game on. */
export type Input = ({
    /** The action's id. */
    action: string;
    /** Who acts. */
    actor?: (EntityRef | null);
    /** The side. */
    by: string;
    input: "act";
    /** Its parameters. */
    params?: { [name: string]: Plain };
} | {
    /** Who reacts. */
    actor?: (EntityRef | null);
    /** The side. */
    by: string;
    input: "react";
    /** Its parameters. */
    params?: { [name: string]: Plain };
    /** The reaction's id. */
    reaction: string;
} | {
    /** The side. */
    by: string;
    input: "decline";
    /** Also for the rest of this action. */
    standing?: boolean;
} | {
    /** The side. */
    by: string;
    input: "answer";
    /** The question's id. */
    question: string;
    /** The answer. */
    value: Plain;
} | {
    /** The side. */
    by: string;
    input: "pass";
} | {
    /** The side. */
    by: string;
    input: "done";
} | {
    /** The side. */
    by: string;
    input: "take_back";
});

/** A moment as a case. */
export type KeptAsCase = {
    /** How much it sets that had become otherwise since the game began. */
    changes: number;
    /** The clauses without which it fails. */
    cites: string[];
    /** Where it belongs in a mod: `tests/ID.luau`. */
    path: string;
    /** The event, as a report tells it. */
    shows: string;
    /** The text of that file. */
    text: string;
};

/** A game as a test. */
export type KeptTest = {
    /** How many decisions it makes. */
    decisions: number;
    /** Where it belongs in a mod: `scenarios/ID.ron`. */
    path: string;
    /** The text of that file. */
    text: string;
};

/** A kind of things. */
export type KindAbout = ({
    role: "area";
    /** The attribute that holds the shape. */
    shape: string;
    /** The attribute that says what sort of ground it is, if one does. */
    sort?: (string | null);
} | {
    /** The attribute that says where. */
    at: string;
    /** The attribute that says where it looks, if one does. */
    facing?: (string | null);
    /** The attributes that name what it belongs to, with the kind of that. */
    home: { [name: string]: string };
    role: "piece";
} | {
    role: "group";
} | {
    role: "none";
}) & {
    /** Its attributes, by name. */
    attributes: { [name: string]: AttributeAbout };
    /** What players call one of them. */
    title: string;
};

/** All that a side might do now. */
export type Legal = {
    /** Actions in a phase, or reactions in a window; also those that are not
     *  allowed, with the reason. */
    actions: Action[];
    /** Whether the side may let a window go by. */
    decline: boolean;
    /** Why the side may not say that it is done; nothing if it may. */
    done_refused?: (string | null);
    /** Why the side may not let its go pass; nothing if it may. */
    pass_refused?: (string | null);
    /** Whether the side may take its last action of a secret phase back. */
    take_back: boolean;
};

export type LegalOf = {
    /** Only what this one might do. */
    actor?: (EntityRef | null);
    /** Only what is allowed. */
    allowed?: boolean;
    /** The side; the seat's only one, if it is left out. */
    side?: (string | null);
};

export type LoadParams = {
    /** The save or journal. */
    path: string;
    /** Stop after so many decisions. */
    up_to?: (number | null);
};

/** Where a match stands that was loaded. */
export type LoadedAbout = {
    /** The number of the viewer's prompt: another whenever it must decide
     *  something else, and with nothing else. */
    ask: number;
    /** How many decisions of the viewer's own stand; of all, for the referee. */
    decisions: number;
    /** Whether the game is over. */
    over: boolean;
    /** How many decisions could be made again after an undo, for the referee. */
    redoable: number;
    /** Whether the file breaks off in the middle of a line: what was written there was
     *  never acknowledged, or the file was cut, and is left out. */
    torn: boolean;
    /** The sides that must decide, as far as the viewer plays them; all, for
     *  the referee. */
    waiting_for: string[];
};

export type Look = {
    /** `referee`, `spectator`, or a side; the seat's only one, if it is left out. */
    viewer?: (string | null);
};

export type LookBack = {
    /** The number of an event of the viewer's: the game as it was after the
     *  decision that told it; 0 for how it began. As it is now, if it is left
     *  out. */
    at?: (number | null);
    /** `referee`, `spectator`, or a side; the seat's only one, if it is left out. */
    viewer?: (string | null);
};

/** A mod that takes part. */
export type ModAbout = {
    /** The hash of what it is made of. */
    hash: string;
    /** Its id. */
    id: string;
    /** Its version. */
    version: string;
};

/** The rules of one mod, as players switch them. */
export type ModRules = {
    /** Its clauses, in groups. */
    groups: GroupAbout[];
    /** The mod's id. */
    id: string;
    /** Whether the match is played by it. What is not could be taken up. */
    on: boolean;
    /** Its options. */
    options: OptionAbout[];
    /** A paragraph about it. */
    text: string;
    /** What people call it. */
    title: string;
};

/** What has happened since a client last looked. */
export type News = {
    /** The events, in order. */
    events: Event[];
    /** Events with numbers from here on replace those that the client had;
     *  smaller than it asked for if something was taken back. */
    from: number;
    /** The number of the last of these events, or of the last that the client
     *  has: give it back next time. */
    last: number;
    /** Whether there are more: ask again. */
    more: boolean;
    /** The timeline that the numbers belong to: give it back next time. */
    timeline: number;
};

/** A parameter that comes next, with what may be given for it. */
export type NextParam = {
    /** What may be given. */
    domain: Domain;
    /** Its name. */
    name: string;
    /** What the player is asked. */
    title: string;
};

export type NextParamOf = {
    /** The action, or the reaction while a window is open. */
    action: string;
    /** Who acts. */
    actor?: (EntityRef | null);
    /** What was given for those before it. */
    params?: { [name: string]: Plain };
    /** The side; the seat's only one, if it is left out. */
    side?: (string | null);
};

/** Odds as a client gets them. */
export type OddsAbout = {
    /** Whether every way was counted; else games were sampled. */
    exact: boolean;
    /** An expression for `by` that asks for less than all that happens; none where one
     *  was given. */
    example?: (string | null);
    /** How they were found, in a sentence. */
    how: string;
    /** The mean, where outcomes are whole numbers, with six digits; where they are
     *  lengths, with their unit. */
    mean?: (string | null);
    /** What may come of it. */
    outcomes: OutcomeAbout[];
    /** The questions that were asked and to which no answer was given. */
    questions: string[];
};

export type OddsAs = {
    /** What is asked. */
    of: OddsQuestion;
    /** `referee`, or the side that would act; the seat's only one, if it is left out. */
    viewer?: (string | null);
};

/** What a client asks. */
export type OddsQuestion = {
    /** Answers to questions that the rules ask, by question: values as `submit` takes
     *  them. A text may be the label of a choice; where it could be several of them it
     *  is none. */
    answers?: { [name: string]: Plain };
    /** What counts as its outcome: an expression such as `red-1.status`; which
     *  events happen, if it is left out. */
    by?: (string | null);
    /** The action or reaction whose odds are asked. */
    input: Input;
    /** How all others are answered: `split`, `best` or `worst`. */
    others?: (string | null);
};

/** Something that can be set. */
export type OptionAbout = {
    /** The clause without which it has no meaning. */
    clause?: (string | null);
    /** What it is when nothing is said. */
    default: string;
    /** Its id: `dsii.fire.hel_band`. */
    id: string;
    /** A sentence for players. */
    text: string;
    /** What people call it. */
    title: string;
    /** What it can be, as mods write types: `bool`, `close|medium|long`,
     *  `integer 1..6`. */
    type: string;
    /** What it is, as `choose` takes it. */
    value: string;
};

/** What plays the sides that nothing else is said of. */
export type Others = ("people" | "scenario" | "random" | "greedy");

/** One outcome with its odds. */
export type OutcomeAbout = {
    /** The same with six digits. */
    decimal: string;
    /** The odds as a fraction: `127/288`. */
    odds: string;
    /** What it is called. */
    outcome: string;
    /** The range of a sample, in which the odds lie 95 times in a hundred. */
    range?: (string | null);
};

/** What a player should know of a choice. */
export type Outlook = {
    /** A few words each: the range, the dice, what it costs. */
    notes: string[];
    /** What may come of it, and how often, as far as the side may know. */
    odds?: (OddsAbout | null);
    /** The choice in a sentence, once all of it is said. */
    summary?: (string | null);
    /** What a careful player would think of. */
    warnings: string[];
};

/** A parameter of an action. */
export type ParamAbout = {
    /** Its name. */
    name: string;
    /** What the player is asked. */
    title: string;
    /** What fits, as mods write types. */
    type: string;
};

/** An entity that two courses of a game leave otherwise. */
export type Parted = {
    /** The same attributes as they are now; nothing where it is not there now. */
    after?: ({ [name: string]: Plain } | null);
    /** Its attributes as they were, those that are otherwise now; nothing where
     *  it was not there. */
    before?: ({ [name: string]: Plain } | null);
    /** The viewer's own number for it. */
    entity: number;
    /** Its kind. */
    kind: string;
    /** Its name. */
    label: string;
};

/** What becomes of the game so far. */
export type Past = ("as_always" | "from_now");

/** A phase that is open. */
export type PhaseAbout = {
    /** Its id. */
    id: string;
    /** Which round it is, where it comes again and again, as a turn does. */
    round?: (number | null);
    /** What players call it. */
    title: string;
};

/** How the phases that are open have changed. */
export type PhaseChange = {
    /** So many are over, innermost first. */
    closed?: number;
    /** Then these are open, outermost first, by their ids. */
    opened?: string[];
    /** Which round it is of those among them that come again and again, as a
     *  turn does, by their ids. */
    rounds?: { [name: string]: number };
};

export type PieceOf = {
    /** The piece. */
    piece: EntityRef;
    /** `referee`, `spectator`, or a side; the seat's only one, if it is left out. */
    viewer?: (string | null);
};

/** A value. Plain things are plain: nothing, truth values, whole numbers,
 *  texts, lists; all else is an object whose key says what it is.
 *  
 *  ```
 *  use houserule::embed::Plain;
 *  let read = |text| serde_json::from_str::<Plain>(text).unwrap();
 *  assert_eq!(read("3"), Plain::Int(3));
 *  assert_eq!(read(r#"{"length": 25400}"#), Plain::Length { length: 25_400 });
 *  assert_eq!(read(r#"{"point": [0, 25400]}"#), Plain::Point { point: [0, 25_400] });
 *  ``` */
export type Plain = (null | boolean | number | string | Plain[] | {
    /** The viewer's number, from 1; nothing if it has none. */
    entity?: (number | null);
    /** Its name, or `#` and the number; not needed as an input, and left
     *  out in changes where it was told. */
    label?: string;
} | {
    /** In micrometres. */
    length: number;
} | {
    /** In minutes of arc. */
    angle: number;
} | {
    /** In minutes of arc, clockwise from north. */
    direction: number;
} | {
    /** Across and along, in micrometres from the lower left corner. */
    point: [number, number];
} | {
    /** Its two coordinates along the axes `q` and `r`. */
    hex: [number, number];
} | {
    /** How many sides. */
    die: number;
    /** How it became what it is. */
    shifts?: DieShift[];
} | {
    /** Its fields. */
    record: { [name: string]: Plain };
});

/** How what a side has asked to take back came to its end. */
export type ProposalEnd = {
    /** Who declined or withdrew it. */
    by?: (string | null);
    /** In which way. */
    outcome: ProposalOutcome;
};

/** In which way a proposal to take play back ends. */
export type ProposalOutcome = ("agreed" | "declined" | "withdrawn" | "lapsed");

/** A question of the rules. */
export type Question = {
    /** What it is about. */
    about: Plain[];
    /** Who has yet to answer, and what may be answered. */
    asked: Asked[];
    /** Its id, with which the answer comes. */
    id: string;
    /** Whether the others may not know of it. */
    secret: boolean;
    /** The question, a full sentence. */
    text: string;
};

/** Ground that matters to a piece. */
export type ReachAbout = {
    /** A shape, as areas have it. */
    shape: Plain;
    /** What it means. */
    title: string;
};

/** A region of the table, its edge included; in micrometres. */
export type Region = ({
    disc: {
        /** The middle. */
        centre: [number, number];
        /** The distance. */
        radius: number;
    };
} | {
    rectangle: {
        /** The upper right corner. */
        max: [number, number];
        /** The lower left corner. */
        min: [number, number];
    };
});

export type ReloadTo = {
    /** What becomes of the game so far. */
    past?: Past;
    /** To whom the difference is told. */
    viewer?: (string | null);
};

/** What a reload did. */
export type Reloaded = {
    /** Whether answers to an open question were dropped, since it is put in
     *  another way now. */
    asked_again: boolean;
    /** What changed; nothing if the files are what they were. */
    changes: Changes;
    /** How many decisions stand now; for the referee, as all below. */
    decisions: number;
    /** Where the game first takes another course, when it was played again. */
    difference?: (Difference | null);
    /** How many decisions were made again: those whose outcome might have been
     *  another under the new rules. */
    made_again?: number;
    /** The mods that it is played by now. */
    mods: ModAbout[];
    /** What became of the game so far. */
    past: Past;
    /** The first decision that the new rules do not allow, when the game was
     *  played again: it and those after it are set aside. [`Tabletop::redo`]
     *  tries them, and the next reload. */
    set_aside?: (SetAside | null);
};

export type ResumeParams = {
    /** Whether each line goes to the disk before play goes on. */
    durable?: boolean;
    /** The journal. */
    path: string;
};

/** A circle around a piece. */
export type RingAbout = {
    /** Its radius in micrometres. */
    radius: number;
    /** What it means. */
    title: string;
};

/** What is asked of whoever calls a method: one of these, or more. */
export type Role = ("public" | "seat" | "referee" | "host");

/** A scenario that can be started. */
export type ScenarioAbout = {
    /** The id that `start` takes. */
    scenario: string;
    /** Its title; empty if it cannot be read. */
    title: string;
};

/** Where somebody sits. */
export type Seat = ({
    seat: "nobody";
} | {
    seat: "sides";
    /** The sides. */
    sides: string[];
} | {
    seat: "spectator";
} | {
    seat: "referee";
} | {
    seat: "host";
});

/** A seat that was given. */
export type SeatAbout = {
    /** Where it is. */
    at: Seat;
    /** How many connections hold it. */
    connections: number;
    /** Its number. */
    number: number;
};

export type SeatNumber = {
    /** The number of the seat. */
    number: number;
};

/** An entity as a viewer sees it. */
export type Seen = {
    /** Its attributes, by name; nothing for those hidden. */
    attributes: { [name: string]: Plain };
    /** The viewer's own number for it. */
    handle: number;
    /** The attributes that are hidden from the viewer. */
    hidden: string[];
    /** Its kind. */
    kind: string;
    /** Its name, or `#` and the number if the name is hidden. */
    label: string;
};

/** A deck of cards as a viewer sees it. */
export type SeenDeck = {
    /** Its id. */
    deck: string;
    /** The cards laid aside. */
    discard: SeenPile;
    /** The side whose own it is; nothing if it is the table's. */
    of?: (string | null);
    /** The cards to be drawn. */
    stock: SeenPile;
};

/** A pile of cards as a viewer sees it. */
export type SeenPile = {
    /** Which ones, the uppermost first; nothing if that is hidden. */
    cards?: (string[] | null);
    /** How many there are; nothing if that is hidden. */
    size?: (number | null);
};

/** Decisions that no longer fit. */
export type SetAside = {
    /** How many there are, with it. */
    count: number;
    /** The number of the first. */
    decision: number;
    /** Why it does not fit. */
    reason: string;
    /** What was decided, in the form that journals write. */
    text: string;
    /** The same in the words of a report. */
    words?: string;
};

export type SetBot = {
    /** How the bot decides; people, if it is null. */
    bot?: (BotSort | null);
    /** The side. */
    side: string;
};

/** A side. */
export type SideAbout = {
    /** What plays it; people, if nothing. */
    bot?: (BotSort | null);
    /** Its id. */
    id: string;
    /** What it is called. */
    title: string;
};

export type Since = {
    /** How many events to give at most. */
    limit?: (number | null);
    /** The number of the last event that the client has. */
    since?: number;
    /** The timeline of the last news. */
    timeline?: number;
    /** `referee`, `spectator`, or a side; the seat's only one, if it is left out. */
    viewer?: (string | null);
};

/** Where a match stands, as a viewer may know it. */
export type Standing = {
    /** The number of the viewer's prompt: another whenever it must decide
     *  something else, and with nothing else. */
    ask: number;
    /** How many decisions of the viewer's own stand; of all, for the referee. */
    decisions: number;
    /** Whether the game is over. */
    over: boolean;
    /** How many decisions could be made again after an undo, for the referee. */
    redoable: number;
    /** The sides that must decide, as far as the viewer plays them; all, for
     *  the referee. */
    waiting_for: string[];
};

/** How to start a match. */
export type Start = {
    /** What plays a side, by side. */
    bots?: { [name: string]: BotSort };
    /** Whether each line of the journal goes to the disk before play goes on. */
    durable?: boolean;
    /** A new file to keep a journal in. */
    journal?: (string | null);
    /** Options of mods to set, by id. */
    options?: { [name: string]: string };
    /** What plays the other sides. */
    others?: Others;
    /** A scenario: its id over all mods, `mod/id`, or the path of a `.ron` file. */
    scenario?: string;
    /** Another seed than the scenario's. */
    seed?: (number | null);
    /** Another number of turns than the scenario's. */
    turns?: (number | null);
    /** Who may take play back. */
    undo?: UndoPolicy;
    /** House rules to add: selectors, or whole selector lines. */
    with?: string[];
    /** Mods, groups or clauses to leave out. */
    without?: string[];
};

/** A decision as a client sends it. */
export type Submission = {
    /** The number of the prompt of the side that decides: if another stands by
     *  now, nothing is taken. */
    ask?: (number | null);
    /** The decision. */
    input: Input;
    /** A text of the client's own, of at most 64 bytes: what is sent again with
     *  the same key is not taken again. */
    key?: (string | null);
};

/** What became of a decision. */
export type Taken = {
    /** The side that decided. */
    by: string;
    /** Its number among the decisions of the side; among all, for the referee. */
    decision: number;
    /** Whether the game is over. */
    over: boolean;
    /** What was decided, in the form that journals write, with what the side
     *  calls things. */
    text: string;
};

/** What a test is to be called. */
export type TestRequest = {
    /** Its id: one word of lower case letters, digits, `-` and `_`. */
    id: string;
    /** Its title; that of the scenario, if it is left out. */
    title?: (string | null);
};

/** Why something was not done. Nothing has changed then, but for the actions
 *  that a fault undid. */
export type Trouble = ({
    /** The clause that gives the reason; none where the table does. */
    clause?: (string | null);
    /** Why, in words for the player. */
    reason: string;
    trouble: "refusal";
    /** What was refused; empty where the reason says it. */
    what: string;
} | {
    /** What comes near. */
    hint?: (string | null);
    /** What was expected and found. */
    message: string;
    trouble: "unknown";
} | {
    /** What was expected. */
    message: string;
    trouble: "unsaid";
} | {
    /** The number of the prompt that was decided on. */
    expected: number;
    /** The number of the prompt that stands. */
    found: number;
    trouble: "stale";
} | {
    trouble: "forbidden";
} | {
    trouble: "broken";
} | {
    /** What is broken. */
    faults: FaultAbout[];
    trouble: "faults";
    /** How many decisions were undone with the one that hit it. */
    undone: number;
} | {
    /** Why. */
    fault: FaultAbout;
    trouble: "unwritten";
});

export type Undo = {
    /** A side, or `referee`; whose the seat is, if it is left out. */
    by?: (string | null);
    /** How many decisions of whoever asks are to stand; without it, all but
     *  the last: for the referee the last that people made. */
    keep?: (number | null);
    /** Agrees to what was asked under this number, and to nothing else; not
     *  together with `keep`. */
    number?: (number | null);
};

/** Who may take play back. */
export type UndoPolicy = ("umpire" | "agreed");

/** What a side has asked to take back. */
export type UndoProposal = {
    /** The side that asked first. */
    by: string;
    /** How many decisions of the viewer's own would stand. */
    decisions: number;
    /** How many more there are. */
    more: number;
    /** Its number, by which it is agreed to or declined. */
    number: number;
    /** The sides that have not agreed yet. */
    waiting_for: string[];
    /** The decisions that would be taken back, each as the viewer's log tells
     *  it: the first twelve of those of which the viewer was told. */
    what: string[];
};

/** What became of a proposal to take play back. */
export type Undone = ({
    /** How many decisions stand now, of those of whoever asked. */
    decisions: number;
    /** How often play between players was taken back: new dice each time. */
    epoch: number;
    /** How many of these were taken back. */
    taken_back: number;
    undo: "done";
} | UndoProposal & {
    undo: "proposed";
});

/** The game as a viewer may see it. */
export type View = {
    /** The decks of the game, by id and side. */
    decks: SeenDeck[];
    /** The entities that the viewer knows of, by its own numbers. */
    entities: Seen[];
    /** The hash of this view: equal views have equal hashes. */
    hash: string;
    /** The phases that are open, outermost first. */
    phases: PhaseAbout[];
    /** The result, once the game is over. */
    result: Plain;
    /** Whose go it is, as far as that is public. */
    turn?: (string | null);
    /** Who looks: `referee`, `spectator`, or a side. */
    viewer: string;
    /** What the viewer must decide: `act`, `react`, `answer`, `wait`, `over`. */
    wanted: string;
};

export type Watch = {
    /** Whether to. */
    on: boolean;
    /** What becomes of the game so far. */
    past?: Past;
};

/** What a connection may do. */
export type Welcome = {
    /** Where it sits. */
    at: Seat;
    /** The words and shapes of the match, for who follows from now on. */
    catalogue?: (Catalogue | null);
    /** The game in play, by the name that its changes bear. */
    game?: (string | null);
    /** The version of these messages. */
    protocol: number;
    /** The role that it has: the methods of this role and of those before it. */
    role: Role;
    /** Whose changes are that do not say it: those of its only side, or of the first of
     *  several. A seat at one side looks and decides as that where it does not say; one at
     *  several says it. */
    viewer?: (string | null);
};

export type Why = {
    /** The event's number for the viewer. */
    event: number;
    /** `referee`, `spectator`, or a side; the seat's only one, if it is left out. */
    viewer?: (string | null);
    /** Every rule that was called, not only those that decided something. */
    whole?: boolean;
};

/** One line of the tree behind an event. */
export type WhyAbout = {
    /** How far it is from the root. */
    depth: number;
    /** The printed source, or nothing. */
    source: string;
    /** What it says. */
    text: string;
};

/** What each method gives. */
export type Results = {
    about: About;
    as_case: KeptAsCase;
    as_test: KeptTest;
    bot_turn: (Taken | null);
    bots: Standing;
    branch: Branched;
    catalogue: Catalogue;
    chart: Around;
    choose: Reloaded;
    decisions: Decision[];
    decline_undo: boolean;
    follow: boolean;
    give_seat: GivenSeat;
    hash: string;
    hello: Welcome;
    legal: Legal;
    load: LoadedAbout;
    news: News;
    next_param: (NextParam | null);
    odds: OddsAbout;
    outlook: (Outlook | null);
    prompt: Asking;
    redo: Taken;
    reload: Reloaded;
    resume: LoadedAbout;
    revoke_seat: boolean;
    rules: ModRules[];
    save: boolean;
    scenarios: ScenarioAbout[];
    seats: SeatAbout[];
    set_bot: boolean;
    standing: Standing;
    start: Standing;
    submit: Taken;
    subscribe: boolean;
    undo: Undone;
    unfollow: boolean;
    unsubscribe: boolean;
    view: View;
    watch: boolean;
    why: WhyAbout[];
};

/** What is told without having been asked for. */
export type Notices = {
    change: ChangeNotice;
    fault: Trouble;
    news: {
        news: News;
        viewer: string;
    };
    prompt: {
        prompt: Asking;
        viewer: string;
    };
    reloaded: Reloaded;
    revoked: {
        /** The number of the seat. */
        number: number;
    };
    undo: {
        ended?: (ProposalEnd | null);
        viewer: string;
        wish: (UndoProposal | null);
    };
};
