// Rules that are switched: what is chosen and not yet in force.
import type { ClauseAbout, Choosing, ModRules, Past } from "../protocol.ts";
import { capital, words } from "./format.ts";

/** Clauses and mods by whether they are to hold, and options by what they are to be; only what is otherwise now. */
export type Chosen = { readonly clauses: ReadonlyMap<string, boolean>; readonly options: ReadonlyMap<string, string> };

export const NOTHING_CHOSEN: Chosen = { clauses: new Map(), options: new Map() };

export function sizeOf(chosen: Chosen): number {
    return chosen.clauses.size + chosen.options.size;
}

/** Whether a clause or mod is to hold. */
export function ruled(chosen: Chosen, id: string, isOn: boolean): boolean {
    return chosen.clauses.get(id) ?? isOn;
}

export function withClause(chosen: Chosen, id: string, isWanted: boolean, isOn: boolean): Chosen {
    return { ...chosen, clauses: changed(chosen.clauses, id, isWanted, isOn) };
}

export function withOption(chosen: Chosen, id: string, wanted: string, now: string): Chosen {
    return { ...chosen, options: changed(chosen.options, id, wanted, now) };
}

function changed<Value>(map: ReadonlyMap<string, Value>, id: string, wanted: Value, now: Value): ReadonlyMap<string, Value> {
    const after = new Map(map);
    if (wanted === now) after.delete(id);
    else after.set(id, wanted);
    return after;
}

/** What is chosen, as it is sent. */
export function choosingOf(chosen: Chosen, past: Past): Choosing {
    const of = (isOn: boolean) => [...chosen.clauses].filter(([, is]) => is === isOn).map(([id]) => id);
    return { on: of(true), off: of(false), options: Object.fromEntries(chosen.options), past };
}

/** The values of an option, where its type lists them. */
export function choicesOf(type: string): { value: string; text: string }[] | null {
    if (type === "bool") return [{ value: "true", text: "Yes" }, { value: "false", text: "No" }];
    if (!/^[a-z0-9_-]+(\|[a-z0-9_-]+)+$/i.test(type)) return null;
    return type.split("|").map((value) => ({ value, text: capital(words(value)) }));
}

/** A mod with those of its clauses and options that have some words; nothing if none has. */
export function isAskedFor(mod: ModRules, search: string): ModRules | null {
    const sought = search.trim().toLowerCase();
    if (sought === "") return mod;
    const has = (...texts: string[]) => texts.join(" ").toLowerCase().includes(sought);
    const inGroup = (clauses: ClauseAbout[]) => clauses.filter((clause) => has(clause.id, clause.title, clause.text, clause.source));
    const groups = mod.groups.map((group) => (has(group.title) ? group : { ...group, clauses: inGroup(group.clauses) })).filter((group) => group.clauses.length > 0);
    const options = mod.options.filter((option) => has(option.id, option.title, option.text));
    return groups.length + options.length > 0 || has(mod.title) ? { ...mod, groups, options } : null;
}
