// An action that is being put together: which one, what was given for its
// parameters so far, and what is asked next.
import type { Action, Choice, Domain, NextParam, Plain } from "../protocol.ts";
import { entityIn, isSame } from "./format.ts";
import { holds } from "./geometry.ts";

/** What was given for a parameter. */
export type Given = {
    readonly name: string;
    readonly title: string;
    readonly value: Plain;
    readonly label: string;
    /** There was nothing else to choose. */
    readonly isOnly: boolean;
};

/** What the rules say of what is being drawn; `open` where they say it only of what is given. */
export type Judgement = { readonly verdict: "none" | "asking" | "good" | "open" } | { readonly verdict: "bad"; readonly reason: string; readonly clause: string | null };

/** The points that the rules suggest: places, or the ends of ways. */
export function candidatesOf(domain: Domain | null): (readonly [number, number])[] {
    if (domain?.domain === "place") return domain.candidates;
    if (domain?.domain === "route") return domain.candidates.flatMap((way) => way.slice(-1));
    return [];
}

/** Whether what is drawn can be given. */
export function mayGive(judgement: Judgement): boolean {
    return judgement.verdict === "good" || judgement.verdict === "open";
}

/** What is known of an answer before it is given: the rules have the last word on some. */
export function judgedAlone(domain: Domain, value: Plain): Judgement {
    if (domain.domain !== "place" && domain.domain !== "route") return { verdict: "good" };
    const point = value !== null && typeof value === "object" && "point" in value ? (value.point as [number, number]) : null;
    if (domain.domain === "place" && point && !domain.regions.some((region) => holds(region, point))) {
        return { verdict: "bad", reason: "that point is outside the region to choose from", clause: null };
    }
    return { verdict: domain.checked ? "open" : "good" };
}

export type Acting = {
    readonly action: Action;
    readonly side: string;
    readonly isReaction: boolean;
    readonly given: readonly Given[];
    /** What is asked next; `asking` while it is looked up, `complete` when all is given. */
    readonly next: NextParam | "asking" | "complete";
};

export function begun(action: Action, side: string, isReaction: boolean): Acting {
    return { action, side, isReaction, given: [], next: "asking" };
}

export function paramsOf(given: readonly Given[]): Record<string, Plain> {
    return Object.fromEntries(given.map((one) => [one.name, one.value]));
}

export function withGiven(acting: Acting, value: Plain, label: string, isOnly = false): Acting {
    if (typeof acting.next === "string") return acting;
    const { name, title } = acting.next;
    return { ...acting, given: [...acting.given, { name, title, value, label, isOnly }], next: "asking" };
}

/** Back to the parameter at a place: it and those after it are asked again. */
export function backTo(acting: Acting, at: number): Acting {
    return { ...acting, given: acting.given.slice(0, at), next: "asking" };
}

/** The last parameter that the player gave himself; what had no choice is skipped. */
export function lastChosen(given: readonly Given[]): number {
    return given.findLastIndex((one) => !one.isOnly);
}

/** The only value that can be given, if there is but one. */
export function onlyChoice(domain: Domain): { value: Plain; label: string } | null {
    if (domain.domain === "choices" && domain.choices.length === 1) return domain.choices[0] ?? null;
    if (domain.domain === "integer" && domain.min === domain.max) return { value: domain.min, label: String(domain.min) };
    if (domain.domain === "several" && domain.max === 0) return { value: [], label: "nobody" };
    if (domain.domain === "several" && domain.choices.length === 0 && domain.min === 0) return { value: [], label: "nobody" };
    return null;
}

/** Whether nothing can be given at all, so that the action cannot be done. */
export function isHopeless(domain: Domain): boolean {
    if (domain.domain === "choices") return domain.choices.length === 0;
    if (domain.domain === "several") return domain.choices.length < domain.min;
    return false;
}

/** The choice that stands for an entity of the board. */
export function choiceOf(domain: Domain, entity: number): { value: Plain; label: string } | null {
    if (domain.domain !== "choices" && domain.domain !== "several") return null;
    return domain.choices.find((choice) => entityIn(choice.value) === entity) ?? null;
}

/** The entities that can be pointed at. */
export function entitiesOf(domain: Domain): number[] {
    if (domain.domain !== "choices" && domain.domain !== "several") return [];
    return domain.choices.flatMap((choice) => entityIn(choice.value) ?? []);
}

/** A list with a value in it, or without it if it was there. */
export function toggled(list: readonly Plain[], value: Plain, most: number, isOn: boolean = countOf(list, value) > 0): Plain[] {
    if (isOn) {
        const at = list.findIndex((one) => isSame(one, value));
        return list.filter((_, place) => place !== at);
    }
    return list.length >= most && most === 1 ? [value] : list.length >= most ? [...list] : [...list, value];
}

/** How often a value is in a list. */
export function countOf(list: readonly Plain[], value: Plain): number {
    return list.filter((one) => isSame(one, value)).length;
}

/** Each choice with how many equal ones stand before it: two equal cards of a hand are two. */
export function numberedAmongEquals(choices: readonly Choice[]): { choice: Choice; nth: number }[] {
    return choices.map((choice, place) => ({ choice, nth: countOf(choices.slice(0, place).map((one) => one.value), choice.value) }));
}

/** Actions by what they are, each with those who may do it. */
export function byTitle(actions: readonly Action[]): { id: string; title: string; actions: Action[] }[] {
    const groups = new Map<string, { id: string; title: string; actions: Action[] }>();
    for (const action of actions) {
        const group = groups.get(action.id) ?? { id: action.id, title: action.title, actions: [] };
        group.actions.push(action);
        groups.set(action.id, group);
    }
    return [...groups.values()];
}

/** The actions of a piece, and of the group it belongs to. */
export function actionsOf(actions: readonly Action[], entities: readonly number[]): Action[] {
    return actions.filter((action) => {
        const actor = entityIn(action.actor);
        return actor !== null && entities.includes(actor);
    });
}

/** A reason without the name of the parameter before it: that is for programs, and players see what is asked. */
export function reasonFor(acting: Acting | null, reason: string): string {
    const name = /^`(\w+)`: /.exec(reason)?.[1];
    const isParam = name !== undefined && (acting?.action.params.some((param) => param.name === name) ?? false);
    return isParam ? reason.slice(name.length + 4) : reason;
}

/** Whether a label has the letters that somebody seeks, wherever they stand in it. */
export function isFound(label: string, sought: string): boolean {
    return label.toLowerCase().includes(sought.trim().toLowerCase());
}
