// Values and names in the words of players.
import type { AttributeAbout, Plain } from "../protocol.ts";

/** Inches or centimetres, as players of this game measure; or hexes. */
export type Measure = "in" | "cm" | "hex";

const PER: Record<Measure, number> = { in: 25.4, cm: 10, hex: 25.4 };

/** A length in millimetres, in the unit of the game. */
export function length(mm: number, measure: Measure): string {
    const n = mm / PER[measure];
    if (measure === "hex") return `${trim(n, 0)} ${Math.round(n) === 1 ? "hex" : "hexes"}`;
    return `${trim(n, 1)} ${measure}`;
}

/** So many of the unit of the game, in millimetres. */
export function unitLength(measure: Measure): number {
    return PER[measure];
}

function trim(n: number, digits: number): string {
    return n.toFixed(digits);
}

/** `is_under_fire` and `under-fire` as `under fire`. */
export function words(id: string): string {
    const last = id.slice(id.lastIndexOf(".") + 1);
    return last.replace(/^(is|has|was|are|can)_/, "").replaceAll(/[_-]+/g, " ").trim();
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence of the rules, as it stands by itself: what a piece is called stays as it is. */
export function sentence(text: string): string {
    return /^\p{L}+(?![\p{L}\p{N}_-])/u.test(text) ? capital(text) : text;
}

/** A value as players read it. */
export function plain(value: Plain | undefined, measure: Measure): string {
    if (value === null || value === undefined) return "none";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "number") return String(value);
    if (typeof value === "string") return value.includes("_") ? value.replaceAll("_", " ") : value;
    if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((item) => plain(item, measure)).join(", ");
    if ("length" in value) return length((value.length as number) / 1000, measure);
    if ("angle" in value) return degrees(value.angle as number);
    if ("direction" in value) return compass(value.direction as number);
    if ("point" in value) return point(value.point as [number, number], measure);
    if ("hex" in value) return hexName(value.hex as [number, number]);
    if ("die" in value) return `d${value.die}`;
    if ("record" in value) return record(value.record as Record<string, Plain>, measure);
    return (value as { label?: string }).label || "something hidden";
}

/** What a game has come to in words, with the titles of sides for their ids: of one, of some, or of each with what it has. */
export function resultText(value: Plain, titles: ReadonlyMap<string, string>, measure: Measure): string {
    if (typeof value === "string") return titles.get(value) ?? plain(value, measure);
    if (Array.isArray(value) && value.length > 0) return value.map((item) => resultText(item, titles, measure)).join(", ");
    const fields = value !== null && typeof value === "object" && "record" in value ? Object.entries(value.record as Record<string, Plain>) : [];
    const isOfSides = fields.length > 0 && fields.every(([name]) => titles.has(name));
    return isOfSides ? fields.map(([name, item]) => `${titles.get(name)} ${plain(item, measure)}`).join(", ") : plain(value, measure);
}

function record(fields: Record<string, Plain>, measure: Measure): string {
    const given = Object.entries(fields).filter(([, item]) => item !== null && item !== "none" && item !== "");
    const one = ([name, item]: [string, Plain]) => (name === "type" || name === "name" || name === "title" ? plain(item, measure) : `${words(name)} ${plain(item, measure)}`);
    return given.map(one).join(", ");
}

function degrees(minutes: number): string {
    return `${trim(minutes / 60, minutes % 60 === 0 ? 0 : 1)}°`;
}

const WINDS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** A direction as a wind, with the degrees where it lies between two. */
export function compass(minutes: number): string {
    const turn = (((minutes / 60) % 360) + 360) % 360;
    const wind = WINDS[Math.round(turn / 45) % 8] ?? "north";
    return turn % 45 === 0 ? wind : `${wind} (${Math.round(turn)}°)`;
}

/** A point as players write it: across, then along, from the lower left corner. */
export function point([x, y]: readonly [number, number], measure: Measure): string {
    const per = PER[measure] * 1000;
    return `(${(x / per).toFixed(1)}, ${(y / per).toFixed(1)})`;
}

/** A hex as maps number it. */
export function hexName([q, r]: readonly [number, number]): string {
    const row = r + Math.floor(q / 2);
    return `${String(q).padStart(2, "0")}${String(row).padStart(2, "0")}`;
}

/** The entity that a value names, if it is one. */
export function entityIn(value: Plain | undefined | null): number | null {
    if (value && typeof value === "object" && !Array.isArray(value) && "entity" in value) return (value.entity as number | null) ?? null;
    return null;
}

/** All entities that a value names, at any depth. */
export function entitiesIn(value: Plain | undefined): number[] {
    if (!value || typeof value !== "object") return [];
    if (Array.isArray(value)) return value.flatMap(entitiesIn);
    const one = entityIn(value);
    if (one !== null) return [one];
    return "record" in value ? Object.values(value.record as Record<string, Plain>).flatMap(entitiesIn) : [];
}

export function isSame(a: Plain | undefined, b: Plain | undefined): boolean {
    return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** An attribute in words: `under fire` for a truth value, else the name and the value. */
export function attribute(name: string, value: Plain, measure: Measure): string {
    if (value === true) return words(name);
    if (value === false) return `not ${words(name)}`;
    return `${words(name)}: ${plain(value, measure)}`;
}

/** Whether an attribute is a state that players see at a glance: an enum or a truth value. */
export function isState(about: AttributeAbout | undefined): boolean {
    if (!about) return false;
    return about.type === "bool" || (/^[a-z0-9_]+(\|[a-z0-9_]+)+\??$/i.test(about.type) && !about.type.startsWith("integer"));
}

/** A list in a sentence: `a, b and c`. */
export function list(items: readonly string[], joint = "and"): string {
    if (items.length < 2) return items[0] ?? "";
    return `${items.slice(0, -1).join(", ")} ${joint} ${items.at(-1)}`;
}

export function count(n: number, one: string, many = `${one}s`): string {
    return `${n} ${n === 1 ? one : many}`;
}

/** A share of one as players say it: what is rare is not told as never. */
export function percent(decimal: string): string {
    const share = Number(decimal) * 100;
    if (share > 0 && share < 1) return "under 1%";
    if (share < 100 && share > 99) return "over 99%";
    return `${Math.round(share)}%`;
}
