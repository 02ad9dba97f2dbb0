// How ground looks, by the words that players have for it. A game may have
// ground of any sort: what no word here fits gets a colour of its own.

/** A look of ground, which the style sheet draws. */
export type Look =
    | "woods"
    | "dense-woods"
    | "hill"
    | "crest"
    | "road"
    | "track"
    | "wall"
    | "urban"
    | "building"
    | "water"
    | "marsh"
    | "rough"
    | "sand"
    | "field"
    | "trench"
    | "mines"
    | "smoke"
    | "other-0"
    | "other-1"
    | "other-2"
    | "other-3";

const WORDS: readonly (readonly [RegExp, Look])[] = [
    [/dense|forest|jungle|heavy wood/, "dense-woods"],
    [/wood|orchard|tree|copse|scrub|plantation/, "woods"],
    [/crest|dyke|dike|embankment|ridge ?line/, "crest"],
    [/hill|rise|(?<!b)ridge|slope|height|high ground/, "hill"],
    [/road|highway|motorway|street|bridge|runway|paved/, "road"],
    [/track|path|trail|rail/, "track"],
    [/wall|hedge|fence|rampart|barricade|obstacle/, "wall"],
    [/trench|dug|foxhole|breastwork/, "trench"],
    [/mine/, "mines"],
    [/smoke|gas|cloud|fire/, "smoke"],
    [/urban|town|village|city|hamlet|buildings|suburb/, "urban"],
    [/building|house|bunker|post|church|factory|farm$/, "building"],
    [/marsh|swamp|bog|mud|mangrove/, "marsh"],
    [/water|river|lake|sea|stream|pond|ford|canal/, "water"],
    [/rough|broken|ruin|rubble|rock|crater|slow|boulder|scree/, "rough"],
    [/sand|desert|dune|beach|dust/, "sand"],
    [/field|crop|farm|pasture|vineyard|paddy/, "field"],
];

/** The look of a sort of ground, in the words of its mod. */
export function lookOf(sort: string): Look {
    const text = sort.toLowerCase().replaceAll(/[_-]/g, " ");
    const found = WORDS.find(([word]) => word.test(text));
    if (found) return found[1];
    let sum = 0;
    for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
    return `other-${sum % 4}` as Look;
}

/** Which looks lie below which: hills below woods, roads above both. */
const LAYERS: readonly Look[] = ["hill", "sand", "field", "other-0", "other-1", "other-2", "other-3", "marsh", "water", "rough", "woods", "dense-woods", "urban", "track", "road", "trench", "building", "crest", "wall", "mines", "smoke"];

export function layerOf(look: Look): number {
    return LAYERS.indexOf(look);
}

/** The share of light that a height takes from a hex: higher ground is darker. */
export function shadeOf(level: number, highest: number): number {
    return highest <= 0 ? 0 : Math.min(1, Math.max(0, level / highest));
}
