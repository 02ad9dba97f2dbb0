// Where names are written, so that none covers another or a piece.
import type { Spot } from "./geometry.ts";

/** A rectangle of the picture. */
export type Rect = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** A name that wants to be written at a spot, beside something of a size. */
export type LabelRequest = {
    readonly id: string;
    readonly text: string;
    readonly at: Spot;
    readonly size: number;
    readonly font: number;
    readonly rank: number;
    readonly isCentred?: boolean;
    /** The only middles that will do, instead of those beside the spot. */
    readonly spots?: readonly Spot[];
};

/** A name that is written: its middle. */
export type Label = { readonly id: string; readonly text: string; readonly x: number; readonly y: number };

/** The width of a text, near enough: letters differ, names hardly. */
export function widthOf(text: string, font: number): number {
    let units = 0;
    for (const letter of text) units += /[ilj.,'|:;!]/.test(letter) ? 0.3 : /[mwMW@]/.test(letter) ? 0.85 : /[A-Z]/.test(letter) ? 0.66 : 0.54;
    return units * font;
}

export function overlaps(a: Rect, b: Rect): boolean {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function rectAt(x: number, y: number, w: number, h: number): Rect {
    return { x: x - w / 2, y: y - h / 2, w, h };
}

/**
 * Writes as many names as there is room for, the important ones first. A name
 * that fits nowhere is left out: it is read by pointing at its piece. All lie
 * within the bounds.
 */
export function placed(requests: readonly LabelRequest[], obstacles: readonly Rect[], bounds: Rect | null = null): Label[] {
    const taken = new Buckets(obstacles);
    const labels: Label[] = [];
    const order = [...requests].sort((a, b) => b.rank - a.rank || a.id.localeCompare(b.id));
    for (const request of order) {
        const [w, h] = [widthOf(request.text, request.font) + request.font * 0.3, request.font * 1.1];
        for (const [x, y] of candidates(request, w, h, bounds)) {
            const rect = rectAt(x, y, w, h);
            if ((bounds && !holds(bounds, rect)) || taken.meets(rect)) continue;
            taken.add(rect);
            labels.push({ id: request.id, text: request.text, x, y });
            break;
        }
    }
    return labels;
}

function holds(outer: Rect, inner: Rect): boolean {
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w && inner.y + inner.h <= outer.y + outer.h;
}

function candidates({ at, size, isCentred, spots }: LabelRequest, w: number, h: number, bounds: Rect | null): [number, number][] {
    if (spots) return spots.map((spot) => [spot.x, spot.y]);
    if (isCentred) return within(at, w, h, bounds);
    const [dx, dy] = [size / 2 + w / 2, size / 2 + h / 2];
    const beside: [number, number][] = [
        [at.x, at.y + dy],
        [at.x, at.y - dy],
        [at.x + dx, at.y],
        [at.x - dx, at.y],
        [at.x + dx * 0.8, at.y + dy * 0.8],
        [at.x - dx * 0.8, at.y + dy * 0.8],
        [at.x + dx * 0.8, at.y - dy * 0.8],
        [at.x - dx * 0.8, at.y - dy * 0.8],
    ];
    return beside;
}

/** Names of ground are written on it, moved inwards at the edge of the map. */
function within(at: Spot, w: number, h: number, bounds: Rect | null): [number, number][] {
    const x = bounds ? Math.min(bounds.x + bounds.w - w / 2, Math.max(bounds.x + w / 2, at.x)) : at.x;
    return [0, 1.2, -1.2].map((lines) => [x, at.y + lines * h]);
}

/** Rectangles by the cells they lie in, so that few are compared. */
class Buckets {
    private readonly cells = new Map<string, Rect[]>();
    private static readonly CELL = 60;

    constructor(rects: readonly Rect[]) {
        for (const rect of rects) this.add(rect);
    }

    add(rect: Rect): void {
        for (const key of this.keys(rect)) {
            const cell = this.cells.get(key);
            if (cell) cell.push(rect);
            else this.cells.set(key, [rect]);
        }
    }

    meets(rect: Rect): boolean {
        return this.keys(rect).some((key) => this.cells.get(key)?.some((other) => overlaps(rect, other)));
    }

    private keys(rect: Rect): string[] {
        const keys: string[] = [];
        const cell = Buckets.CELL;
        for (let x = Math.floor(rect.x / cell); x <= Math.floor((rect.x + rect.w) / cell); x++) {
            for (let y = Math.floor(rect.y / cell); y <= Math.floor((rect.y + rect.h) / cell); y++) keys.push(`${x} ${y}`);
        }
        return keys;
    }
}
