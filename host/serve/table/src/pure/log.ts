// The log: which events are read at which depth, by which words, and of whom.
import type { Catalogue, Depth, Reloaded, LoggedEvent, SetAside } from "../protocol.ts";
import { capital, count, words } from "./format.ts";

export type LogLine = {
    readonly event: number;
    readonly kind: string;
    readonly text: string;
    readonly more: readonly string[];
    /** The rule that told it, as mods write it. */
    readonly rule: string | null;
    readonly depth: Depth;
    readonly entities: readonly number[];
};

const ORDER: readonly Depth[] = ["story", "volley", "full"];

/** The lines that events make at a depth; those without words are left out. */
export function linesOf(events: readonly LoggedEvent[], depth: Depth, search: string): LogLine[] {
    const deepest = ORDER.indexOf(depth);
    const sought = search.trim().toLowerCase();
    const lines: LogLine[] = [];
    for (const event of events) {
        if (event.text.length === 0 || ORDER.indexOf(event.depth) > deepest) continue;
        if (sought !== "" && !`${saidOf(event).join(" ")} ${event.rule ?? ""} ${citation(event.rule ?? "")}`.toLowerCase().includes(sought)) continue;
        lines.push(lineOf(event));
    }
    return lines;
}

/** What is told of an event: of chits that were drawn the letters alone say nothing, and less where they are hidden. */
function saidOf({ kind, text }: LoggedEvent): readonly string[] {
    const [first = "", ...more] = text;
    return kind === "chits" ? [`Chits: ${first.trim()}`, ...more] : text;
}

function lineOf(event: LoggedEvent): LogLine {
    const [text = "", ...more] = saidOf(event);
    return { event: event.number, kind: event.kind, text: text.trim(), more: more.map((line) => line.trim()), rule: event.rule, depth: event.depth, entities: event.of };
}

/** What came about last until an event, or until now: no phase and no decision, which no rule brings about. */
export function momentOf(events: readonly LoggedEvent[], at: number | null): LoggedEvent | null {
    const isMoment = ({ number, kind, text }: LoggedEvent) => (at === null || number <= at) && text.length > 0 && kind !== "phase" && !isDecided(kind);
    return events.findLast(isMoment) ?? null;
}

/** What somebody decided, among all that happens. */
const DECIDED: ReadonlySet<string> = new Set(["action", "reaction", "answer", "pass", "done", "decline"]);

export function isDecided(kind: string): boolean {
    return DECIDED.has(kind);
}

/** The last event before each decision, and the last of all: where a slider stops. */
export function decisionsIn(events: readonly LoggedEvent[]): number[] {
    const begins = events.filter((event) => isDecided(event.kind)).map((event) => event.number);
    const last = events.at(-1)?.number;
    return last === undefined ? [] : [...begins.map((number) => number - 1).filter((number) => number > 0), last];
}

/** A rule as a citation: the words of its last parts. */
export function citation(rule: string): string {
    return rule.split(".").slice(1).map(words).join(" · ") || rule;
}

/** A text that is the id of something in words, any other as it is. */
export function named(text: string): string {
    return /^[a-z][a-z0-9_]*(\.[a-z0-9_-]+)+$/.test(text) ? capital(citation(text)) : text;
}

/** A sentence in which things are called by their ids, with their titles instead. */
function inWords(text: string, title: (id: string) => string): string {
    return text.replace(/\b[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){2,}\b/g, (id) => `“${title(id)}”`);
}

/** A line of a why-tree: ids in words. */
export function spoken(text: string): string {
    const whole = named(text);
    return whole === text ? inWords(text, citation) : whole;
}

/** Which decisions no longer fit, and why: the first of them in words. */
function asideLine({ count: many, words: first = "", reason }: SetAside, title: (id: string) => string): string {
    const which = first === "" ? "" : many === 1 ? `, “${first}”` : `, from “${first}” on`;
    return `${count(many, "decision")} set aside${which}: ${inWords(reason, title)}`;
}

/** What a reload changed, in lines. */
export function reloadLines(reloaded: Reloaded, catalogue: Catalogue | null): string[] {
    const lines: string[] = [];
    const title = (id: string) => catalogue?.actions[id] ?? catalogue?.phases[id] ?? named(id);
    const say = (what: string, many: string, delta: { added: string[]; changed: string[]; removed: string[] }, called = title) => {
        const add = (verb: string, ids: string[]) => {
            if (ids.length === 0) return;
            const some = ids.slice(0, 3).map(called);
            const rest = ids.length > 3 ? ` and ${ids.length - 3} more` : "";
            lines.push(`${capital(ids.length === 1 ? what : many)} ${verb}: ${some.join(", ")}${rest}`);
        };
        add("changed", delta.changed);
        add("added", delta.added);
        add("removed", delta.removed);
    };
    const { changes } = reloaded;
    say("rule", "rules", changes.rules);
    say("row", "rows", changes.rows);
    say("clause", "clauses", changes.clauses);
    say("kind", "kinds", changes.kinds);
    say("also", "also", changes.declared, (text) => text.replace(/ (\S+)$/, (_, id: string) => ` “${title(id)}”`));
    if (lines.length === 0 && changes.files.length > 0) lines.push(`Changed: ${changes.files.join(", ")}`);
    if (reloaded.difference) {
        const { heading, decision, words: decided } = reloaded.difference;
        lines.push(`The game so far takes another course in ${heading ? `${heading}, ` : ""}decision ${decision}${decided ? `: ${decided}` : ""}`);
    }
    if (reloaded.set_aside) lines.push(asideLine(reloaded.set_aside, title));
    if (reloaded.asked_again) lines.push("The open question is asked anew");
    return lines;
}
