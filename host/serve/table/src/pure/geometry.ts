// Places: from micrometres of the table, which count from its lower left
// corner, to millimetres of the picture, which count from its upper left.
import type { Plain, Region } from "../protocol.ts";

/** A place in the picture, in millimetres of the table. */
export type Spot = { readonly x: number; readonly y: number };

/** What the picture shows: an upper left corner, a width, a height. */
export type Box = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** Ground that is covered. */
export type Shape =
    | { form: "polygon"; points: Spot[] }
    | { form: "disc"; centre: Spot; radius: number }
    | { form: "band"; line: Spot[]; half: number };

/** How points of the engine come to lie in the picture. */
export type Frame = {
    /** What the whole map takes up. */
    readonly bounds: Box;
    readonly isHex: boolean;
    /** From one hex to the next, in millimetres. */
    readonly hex: number;
    readonly columns: number;
    readonly rows: number;
};

const MM = 1000;
const INCH = 25.4;
const ROOT_3 = Math.sqrt(3);

/** A table in the open, or a map of hexes of an inch each. */
export function frameOf(table: [number, number], hexes: "flat" | null): Frame {
    const [w, h] = [table[0] / MM, table[1] / MM];
    if (hexes === null) return { bounds: { x: 0, y: 0, w, h }, isHex: false, hex: 0, columns: 0, rows: 0 };
    const [columns, rows] = [Math.round(w / INCH), Math.round(h / INCH)];
    const bounds = { x: 0, y: 0, w: (columns * 1.5 + 0.5) * (INCH / ROOT_3), h: (rows + 0.5) * INCH };
    return { bounds, isHex: true, hex: INCH, columns, rows };
}

export function spotOf(frame: Frame, point: readonly [number, number]): Spot {
    return { x: point[0] / MM, y: frame.bounds.h - point[1] / MM };
}

/** The point of the engine for a place, in whole micrometres. */
export function pointOf(frame: Frame, spot: Spot): [number, number] {
    return [Math.round(spot.x * MM), Math.round((frame.bounds.h - spot.y) * MM)];
}

/** The middle of a hex. Columns count from 1; odd ones lie half a hex lower. */
export function hexCentre(frame: Frame, hex: readonly [number, number]): Spot {
    const side = frame.hex / ROOT_3;
    return { x: side + 1.5 * side * (hex[0] - 1), y: frame.hex * (hex[1] + hex[0] / 2 - 0.5) };
}

/** The hex of a column and row, as maps print them. */
export function hexAt(column: number, row: number): [number, number] {
    return [column, row - Math.floor(column / 2)];
}

/** The column and row of a hex. */
export function columnRow(hex: readonly [number, number]): [number, number] {
    return [hex[0], hex[1] + Math.floor(hex[0] / 2)];
}

/** The hex under a place. */
export function hexUnder(frame: Frame, spot: Spot): [number, number] {
    const side = frame.hex / ROOT_3;
    const q = (spot.x - side) / (1.5 * side) + 1;
    const r = spot.y / frame.hex - q / 2 + 0.5;
    const s = -q - r;
    let [rq, rr] = [Math.round(q), Math.round(r)];
    const rs = Math.round(s);
    const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs - s)];
    if (dq > dr && dq > ds) rq = -rr - rs;
    else if (dr > ds) rr = -rq - rs;
    return [rq, rr];
}

export function hexDistance(a: readonly [number, number], b: readonly [number, number]): number {
    const [q, r] = [a[0] - b[0], a[1] - b[1]];
    return (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 2;
}

export function hexCorners(frame: Frame, centre: Spot, shrink = 1): Spot[] {
    const side = (frame.hex / ROOT_3) * shrink;
    const corner = (turn: number) => ({
        x: centre.x + side * Math.cos((turn * Math.PI) / 3),
        y: centre.y + side * Math.sin((turn * Math.PI) / 3),
    });
    return [0, 1, 2, 3, 4, 5].map(corner);
}

/** The side between two hexes; nothing if they do not lie beside each other. */
export function sideBetween(frame: Frame, a: Spot, b: Spot): [Spot, Spot] | null {
    if (Math.abs(distance(a, b) - frame.hex) > frame.hex / 10) return null;
    const corners = hexCorners(frame, a).sort((one, other) => distance(one, b) - distance(other, b));
    return [corners[0] as Spot, corners[1] as Spot];
}

export function distance(a: Spot, b: Spot): number {
    return Math.hypot(a.x - b.x, a.y - b.y);
}

export function lengthOf(path: readonly Spot[]): number {
    return path.reduce((sum, spot, at) => sum + (at === 0 ? 0 : distance(path[at - 1] ?? spot, spot)), 0);
}

/** Whether a spot lies in a shape, or on its edge. */
export function within(shape: Shape, spot: Spot): boolean {
    if (shape.form === "disc") return distance(shape.centre, spot) <= shape.radius;
    if (shape.form === "band") return shape.line.slice(1).some((end, at) => farFrom(shape.line[at] as Spot, end, spot) <= shape.half);
    const { points } = shape;
    const isLeft = (a: Spot, b: Spot) => a.y > spot.y !== b.y > spot.y && spot.x < ((b.x - a.x) * (spot.y - a.y)) / (b.y - a.y) + a.x;
    return points.filter((end, at) => isLeft(points[(at + points.length - 1) % points.length] as Spot, end)).length % 2 === 1;
}

/** How far a spot lies from the line between two others. */
function farFrom(a: Spot, b: Spot, spot: Spot): number {
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const along = ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / (dx * dx + dy * dy || 1);
    const part = Math.min(1, Math.max(0, along));
    return distance({ x: a.x + dx * part, y: a.y + dy * part }, spot);
}

/** The smallest box around a shape. */
export function boxAround(shape: Shape): Box {
    const spots = shape.form === "disc" ? [shape.centre] : shape.form === "band" ? shape.line : shape.points;
    const more = shape.form === "disc" ? shape.radius : shape.form === "band" ? shape.half : 0;
    const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
    const [x, y] = [Math.min(...xs) - more, Math.min(...ys) - more];
    return { x, y, w: Math.max(...xs) + more - x, h: Math.max(...ys) + more - y };
}

export function middle(spots: readonly Spot[]): Spot {
    const sum = spots.reduce((all, spot) => ({ x: all.x + spot.x, y: all.y + spot.y }), { x: 0, y: 0 });
    return { x: sum.x / Math.max(1, spots.length), y: sum.y / Math.max(1, spots.length) };
}

/** The shape that a value of the engine describes, if it is one. */
export function shapeOf(frame: Frame, value: Plain | undefined): Shape | null {
    const fields = recordOf(value);
    if (!fields) return null;
    const points = (name: string) => listOf(fields[name]).flatMap((item) => spotIn(frame, item) ?? []);
    const polygon = points("polygon");
    if (polygon.length > 2) return { form: "polygon", points: polygon };
    const centre = spotIn(frame, fields.centre);
    const radius = lengthIn(fields.radius);
    if (centre && radius !== null) return { form: "disc", centre, radius };
    const line = points("line");
    const half = lengthIn(fields.half_width);
    if (line.length > 1) return { form: "band", line, half: half ?? 0 };
    return null;
}

function recordOf(value: Plain | undefined): Record<string, Plain> | null {
    return value && typeof value === "object" && "record" in value ? (value.record as Record<string, Plain>) : null;
}

function listOf(value: Plain | undefined): Plain[] {
    return Array.isArray(value) ? value : [];
}

/** The place that a value names, if it is a point or a hex. */
export function spotIn(frame: Frame, value: Plain | undefined): Spot | null {
    if (!value || typeof value !== "object" || Array.isArray(value)) return null;
    if ("point" in value) return spotOf(frame, value.point as [number, number]);
    if ("hex" in value && frame.isHex) return hexCentre(frame, value.hex as [number, number]);
    return null;
}

/** A length in millimetres. */
export function lengthIn(value: Plain | undefined): number | null {
    return value && typeof value === "object" && "length" in value && !Array.isArray(value) ? (value.length as number) / MM : null;
}

const short = (n: number) => String(Math.round(n * 100) / 100);

export function pathOf(points: readonly Spot[], isClosed: boolean): string {
    const steps = points.map((spot, at) => `${at === 0 ? "M" : "L"}${short(spot.x)} ${short(spot.y)}`);
    return steps.join("") + (isClosed ? "Z" : "");
}

/** A sector of a circle, clockwise between two bearings in degrees from north. */
export function sectorPath(centre: Spot, radius: number, from: number, to: number): string {
    const sweep = (((to - from) % 360) + 360) % 360;
    if (sweep === 0) return circlePath(centre, radius);
    const [a, b] = [onCircle(centre, radius, from), onCircle(centre, radius, to)];
    const large = sweep > 180 ? 1 : 0;
    return `M${short(centre.x)} ${short(centre.y)}L${short(a.x)} ${short(a.y)}A${short(radius)} ${short(radius)} 0 ${large} 1 ${short(b.x)} ${short(b.y)}Z`;
}

export function circlePath(centre: Spot, radius: number): string {
    const [x, r] = [short(centre.x), short(radius)];
    return `M${x} ${short(centre.y - radius)}A${r} ${r} 0 1 1 ${x} ${short(centre.y + radius)}A${r} ${r} 0 1 1 ${x} ${short(centre.y - radius)}Z`;
}

/** The place at a bearing, in degrees clockwise from north. */
export function onCircle(centre: Spot, radius: number, bearing: number): Spot {
    const turn = (bearing * Math.PI) / 180;
    return { x: centre.x + radius * Math.sin(turn), y: centre.y - radius * Math.cos(turn) };
}

/** The bearing from one place to another, in degrees clockwise from north. */
export function bearing(from: Spot, to: Spot): number {
    const turn = (Math.atan2(to.x - from.x, from.y - to.y) * 180) / Math.PI;
    return (turn + 360) % 360;
}

/** What a region of a question covers. */
export function regionShape(frame: Frame, region: Region): Shape {
    if ("disc" in region) return { form: "disc", centre: spotOf(frame, region.disc.centre), radius: region.disc.radius / MM };
    const [a, b] = [spotOf(frame, region.rectangle.min), spotOf(frame, region.rectangle.max)];
    return { form: "polygon", points: [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }] };
}

/** Whether a region has a point, as exactly as the engine says it. */
export function holds(region: Region, [x, y]: readonly [number, number]): boolean {
    if ("disc" in region) {
        const [dx, dy] = [x - region.disc.centre[0], y - region.disc.centre[1]];
        return dx * dx + dy * dy <= region.disc.radius * region.disc.radius;
    }
    const { min, max } = region.rectangle;
    return min[0] <= x && x <= max[0] && min[1] <= y && y <= max[1];
}

/** Where a name of ground is written. */
export function namePlace(shape: Shape): Spot {
    if (shape.form === "disc") return shape.centre;
    if (shape.form === "polygon") return middle(shape.points);
    const [a, b] = [shape.line[Math.floor((shape.line.length - 1) / 2)], shape.line[Math.ceil((shape.line.length - 1) / 2)]];
    if (!a || !b) return { x: 0, y: 0 };
    return a === b ? a : middle([a, b]);
}

/** A box of the same middle, larger or smaller, which keeps a place where it is. */
export function zoomed(box: Box, factor: number, about: Spot, bounds: Box): Box {
    const widest = Math.max(bounds.w, bounds.h) * 2.5;
    const w = Math.min(widest, Math.max(40, box.w / factor));
    const real = box.w / w;
    const h = box.h / real;
    return held({ x: about.x - (about.x - box.x) / real, y: about.y - (about.y - box.y) / real, w, h }, bounds);
}

/** A box whose middle lies on the map. */
export function held(box: Box, bounds: Box): Box {
    const x = Math.min(bounds.x + bounds.w - box.w / 2, Math.max(bounds.x - box.w / 2, box.x));
    const y = Math.min(bounds.y + bounds.h - box.h / 2, Math.max(bounds.y - box.h / 2, box.y));
    return { ...box, x, y };
}

/** The smallest box of a form that holds another, with a margin. */
export function fitted(bounds: Box, width: number, height: number, margin: number): Box {
    const ratio = Math.max(1, width) / Math.max(1, height);
    const [w, h] = [bounds.w + 2 * margin, bounds.h + 2 * margin];
    const isWide = w / h > ratio;
    const box = isWide ? { w, h: w / ratio } : { w: h * ratio, h };
    return { x: bounds.x + bounds.w / 2 - box.w / 2, y: bounds.y + bounds.h / 2 - box.h / 2, ...box };
}

/** The nearest of some places in a direction, for those who walk by arrow keys. */
export function nearestTowards<T>(from: Spot, items: readonly T[], at: (item: T) => Spot, direction: "up" | "down" | "left" | "right"): T | null {
    const along = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[direction] as [number, number];
    let best: { item: T; cost: number } | null = null;
    for (const item of items) {
        const spot = at(item);
        const [dx, dy] = [spot.x - from.x, spot.y - from.y];
        const ahead = dx * along[0] + dy * along[1];
        const aside = Math.abs(dx * along[1] - dy * along[0]);
        if (ahead <= 0.01 || aside > ahead * 2) continue;
        const cost = ahead + aside * 2;
        if (!best || cost < best.cost) best = { item, cost };
    }
    return best?.item ?? null;
}
