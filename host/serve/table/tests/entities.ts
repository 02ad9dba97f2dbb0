// Entities as tests think of them, one after another, and the members of a change that tell of them.
import type { Change, Plain } from "../src/protocol.ts";

/** An entity that is new, if it has a kind, or looks otherwise. */
export type Moved = { entity: number; kind?: string; label?: string; attributes?: Record<string, Plain>; hidden?: string[] };

/** What a change says of entities. */
export function entityChanges(...all: readonly Moved[]): Pick<Change, "called" | "set" | "hidden"> {
    const members = <Of>(pick: (moved: Moved) => Of | undefined): Record<string, Of> => Object.fromEntries(all.flatMap((moved) => { const one = pick(moved); return one === undefined ? [] : [[moved.entity, one] as const]; }));
    return {
        called: members(({ kind, label }) => (label === undefined ? undefined : { ...(kind !== undefined && { kind }), label })),
        set: members((moved) => moved.attributes),
        hidden: members((moved) => moved.hidden),
    };
}
