// Two courses of a game side by side: what was on the table, and what is.
import type { AttributeAbout, Difference, Parted, Plain } from "../protocol.ts";
import type { Box, Frame, Spot } from "./geometry.ts";
import type { Match, Seen } from "./match.ts";

/** A match as one of both courses leaves it. */
export function courseOf(match: Match, difference: Difference, which: "before" | "after"): Match {
    const entities = new Map(match.entities);
    for (const parted of difference.pieces) {
        const seen = seenIn(entities.get(parted.entity), parted, which);
        if (seen) entities.set(parted.entity, seen);
        else entities.delete(parted.entity);
    }
    return { ...match, entities };
}

function seenIn(known: Seen | undefined, parted: Parted, which: "before" | "after"): Seen | null {
    const attributes = parted[which] as Record<string, Plain> | null | undefined;
    if (!attributes) return null;
    const { entity, kind, label } = parted;
    return { entity, kind, label, attributes: { ...known?.attributes, ...attributes }, hidden: known?.hidden ?? [] };
}

/** The part of the map around some places, with room for what stands beside them. */
export function around(spots: readonly Spot[], frame: Frame): Box {
    const { bounds } = frame;
    if (spots.length === 0) return bounds;
    const [xs, ys] = [spots.map((spot) => spot.x), spots.map((spot) => spot.y)];
    const least = Math.min(bounds.w, bounds.h) * 0.45;
    const side = Math.max(least, (Math.max(...xs) - Math.min(...xs)) * 1.4, (Math.max(...ys) - Math.min(...ys)) * 1.4);
    const middle = (all: number[]) => (Math.min(...all) + Math.max(...all)) / 2;
    const start = (at: number, most: number) => Math.min(Math.max(0, at - side / 2), Math.max(0, most - side));
    return { x: start(middle(xs), bounds.w), y: start(middle(ys), bounds.h), w: Math.min(side, bounds.w), h: Math.min(side, bounds.h) };
}

/** The attributes of an entity that are otherwise, each as it was and is; not what only the rules keep for themselves. */
export function partedAttributes(parted: Parted, about: Readonly<Record<string, AttributeAbout>>): { name: string; before: Plain | undefined; after: Plain | undefined }[] {
    const [before, after] = [parted.before ?? {}, parted.after ?? {}] as Record<string, Plain>[];
    return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !about[name]?.is_bookkeeping).sort().map((name) => ({ name, before: before?.[name], after: after?.[name] }));
}
