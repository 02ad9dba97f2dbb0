// The signs of pieces, in the manner of military maps, by the words that a mod
// has for them; and the colours of sides.
import type { SideAbout } from "../protocol.ts";

export type Sign = "armour" | "infantry" | "mechanised" | "guns" | "mortar" | "rocket" | "air" | "command" | "scouts" | "engineers" | "anti-air" | "walker" | "sniper" | "wheels" | "objective" | "smoke" | "mines" | "unknown" | "none";

const WORDS: readonly (readonly [RegExp, Sign])[] = [
    [/\bunknown|counter|blip|lettered|dummy|decoy|hiding/, "unknown"],
    [/objective|victory|flag/, "objective"],
    [/smoke|fog/, "smoke"],
    [/mine ?field|mines/, "mines"],
    [/command|\bhq\b|head ?quarters|leader|colonel|general/, "command"],
    [/sniper|marks|sharp ?shoot/, "sniper"],
    [/engineer|sapper|pioneer/, "engineers"],
    [/anti-? ?air|air ?defen[cs]e|\bads?\b|flak|\bsam\b|\baa\b/, "anti-air"],
    [/vtol|helicopter|gunship|\bair|interceptor|bomber|aerospace|flyer|jet/, "air"],
    [/mortar/, "mortar"],
    [/apc|ifv|carrier|mechanised|mechanized|half-?track|transport/, "mechanised"],
    [/rocket|missile|launcher|\bgms\b/, "rocket"],
    [/artillery|howitzer|battery|field gun|gun$|cannon/, "guns"],
    [/walker|titan|mecha?\b|knight/, "walker"],
    [/scout|recon|reconnaissance|jeep|bike/, "scouts"],
    [/tank|armou?r|tracked|crawler|destroyer|panzer|\bm1\b/, "armour"],
    [/wheeled|truck|\bcar\b|lorry|tractor/, "wheels"],
    [/infantry|team|rifle|foot|troops|squad|section|militia|commando|platoon|cavalry/, "infantry"],
    [/vehicle/, "armour"],
];

/** The sign for a piece that is called so, by the first of the texts that says anything. */
export function signOf(texts: readonly (string | null | undefined)[]): Sign {
    for (const text of texts) {
        const read = (text ?? "").toLowerCase().replaceAll(/[_]/g, " ");
        const found = read === "" ? undefined : WORDS.find(([word]) => word.test(read));
        if (found) return found[1];
    }
    return "none";
}

/** The colours that sides may have, which the style sheet names. */
export const HUES = ["blue", "red", "green", "violet", "amber", "teal"] as const;
export type Hue = (typeof HUES)[number] | "none";

// Whole words: an armoured column is not red.
const NAMED: readonly (readonly [RegExp, Hue])[] = [
    [/(?<!\p{L})(blue|azure|navy)(?!\p{L})/u, "blue"],
    [/(?<!\p{L})(red|crimson|scarlet)(?!\p{L})/u, "red"],
    [/(?<!\p{L})green(?!\p{L})/u, "green"],
    [/(?<!\p{L})(violet|purple)(?!\p{L})/u, "violet"],
    [/(?<!\p{L})(amber|yellow|orange|gold)(?!\p{L})/u, "amber"],
    [/(?<!\p{L})(teal|cyan)(?!\p{L})/u, "teal"],
];

/** A colour for each side: the one that its name says, else the first that is free. */
export function huesOf(sides: readonly SideAbout[]): Map<string, Hue> {
    const hues = new Map<string, Hue>();
    const free = new Set<Hue>(HUES);
    for (const side of sides) {
        const named = NAMED.find(([word]) => word.test(`${side.id} ${side.title}`.toLowerCase()));
        if (named && free.delete(named[1])) hues.set(side.id, named[1]);
    }
    for (const side of sides) {
        if (hues.has(side.id)) continue;
        const next = [...free][0] ?? "none";
        free.delete(next);
        hues.set(side.id, next);
    }
    return hues;
}
