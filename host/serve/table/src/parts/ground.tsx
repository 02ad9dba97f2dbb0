// What lies under the pieces: the cloth, its grid, hexes, ground and names.
import { Fragment, memo } from "./memo.ts";
import type { Area, Board, Ground } from "../pure/board.ts";
import { hexName, unitLength, type Measure } from "../pure/format.ts";
import { hexAt, hexCentre, hexCorners, namePlace, pathOf, type Frame, type Shape, type Spot } from "../pure/geometry.ts";
import { shadeOf, type Look } from "../pure/ground.ts";

/** Trees of a wood: across, down, and how broad. None lies across an edge. */
const LIGHT_WOODS = [[7, 8, 5], [22, 5, 3.6], [36, 10, 5.4], [14, 22, 4.4], [29, 24, 5.6], [41, 30, 3.6], [7, 36, 5.2], [21, 39, 4.6], [35, 40, 4.4]] as const;
const DENSE_WOODS = [[6, 6, 5.2], [17, 5, 4.4], [29, 7, 5.8], [10, 17, 5.6], [22, 17, 5.2], [33, 19, 4.4], [5, 28, 4.4], [16, 30, 5.8], [28, 30, 5.6], [9, 35.5, 2.2], [35, 34, 2.6]] as const;

function Trees({ spots }: { spots: readonly (readonly [number, number, number])[] }) {
    return (
        <Fragment>
            {spots.map(([x, y, r]) => (
                <Fragment key={`${x} ${y}`}>
                    <circle class="tree" cx={x} cy={y} r={r} />
                    <circle class="tree lit" cx={x - r * 0.18} cy={y - r * 0.18} r={r * 0.55} />
                </Fragment>
            ))}
        </Fragment>
    );
}

/** The patterns that the style sheet fills ground with. */
export const Patterns = memo(() => (
    <defs>
        <pattern id="p-woods" width="46" height="46" patternUnits="userSpaceOnUse">
            <Trees spots={LIGHT_WOODS} />
        </pattern>
        <pattern id="p-dense-woods" width="38" height="38" patternUnits="userSpaceOnUse">
            <Trees spots={DENSE_WOODS} />
        </pattern>
        <pattern id="p-rough" width="18" height="18" patternUnits="userSpaceOnUse">
            <path class="stone" d="M3 6l2.5-3 3 2.2zM11 14l1.6-3.4 3.4 2zM13 4l1-1.6 1.8 1zM4 14l1.2-1.8 1.6 1.2z" />
        </pattern>
        <pattern id="p-marsh" width="20" height="14" patternUnits="userSpaceOnUse">
            <path class="reed" d="M2 5h8M6 5v-3M4 5l-1-2M8 5l1-2M12 12h7M15.5 12v-3" />
        </pattern>
        <pattern id="p-urban" width="22" height="22" patternUnits="userSpaceOnUse">
            <path class="block" d="M2 2h8v7h-8zM13 2h7v11h-7zM2 12h8v8h-8zM13 16h7v4h-7z" />
        </pattern>
        <pattern id="p-field" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(24)">
            <path class="furrow" d="M0 2h9M0 6.5h9" />
        </pattern>
        <pattern id="p-water" width="26" height="12" patternUnits="userSpaceOnUse">
            <path class="wave" d="M1 4q3-2.4 6 0t6 0M13 10q3-2.4 6 0t6 0" />
        </pattern>
        <pattern id="p-mines" width="14" height="14" patternUnits="userSpaceOnUse">
            <path class="mine" d="M4 4l6 6M10 4l-6 6" />
        </pattern>
        <pattern id="p-reach" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path class="hatch" d="M0 4h8" />
        </pattern>
    </defs>
));

const PATTERNED: ReadonlySet<Look> = new Set<Look>(["woods", "dense-woods", "rough", "marsh", "urban", "field", "water", "mines"]);

export function ShapeOf({ shape, ...rest }: { shape: Shape; class: string; fill?: string }) {
    if (shape.form === "disc") return <circle cx={shape.centre.x} cy={shape.centre.y} r={shape.radius} {...rest} />;
    if (shape.form === "polygon") return <path d={pathOf(shape.points, true)} {...rest} />;
    return <path d={pathOf(shape.line, false)} fill="none" stroke-width={Math.max(3, shape.half * 2)} {...rest} />;
}

const AreaOf = memo(({ area }: { area: Area }) => {
    const { shape, look } = area;
    const name = `${area.name}, ${area.sort}`;
    if (shape.form === "band") {
        // What lies along a hex or its side is as wide as hexes want it.
        const bed = area.isNamed ? Math.max(4, shape.half * 2) : shape.half * 2;
        const d = pathOf(shape.line, false);
        return (
            <g class={`ground band look-${look}`}>
                <title>{name}</title>
                <path class="casing" d={d} stroke-width={bed + (area.isNamed ? 3 : 1)} />
                <path class="bed" d={d} stroke-width={bed} />
                {(look === "wall" || look === "crest" || look === "track") && <path class="marks" d={d} stroke-width={bed} />}
            </g>
        );
    }
    return (
        <g class={`ground look-${look}`}>
            <title>{name}</title>
            <ShapeOf shape={shape} class="bed" />
            {PATTERNED.has(look) && <ShapeOf shape={shape} class="pattern" fill={`url(#p-${look})`} />}
            {look === "hill" && <Contours shape={shape} />}
        </g>
    );
});

/** Two inner lines of equal height, which make a hill rise from the page. */
function Contours({ shape }: { shape: Shape }) {
    return (
        <g class="contours">
            {[0.78, 0.5].map((part) => (
                <ShapeOf key={part} shape={shrunk(shape, part)} class="contour" />
            ))}
        </g>
    );
}

function shrunk(shape: Shape, part: number): Shape {
    if (shape.form === "disc") return { ...shape, radius: shape.radius * part };
    if (shape.form === "band") return shape;
    const at = namePlace(shape);
    return { ...shape, points: shape.points.map((spot) => ({ x: at.x + (spot.x - at.x) * part, y: at.y + (spot.y - at.y) * part })) };
}

/** How far the lines of the grid lie from an edge. */
function gridLines(most: number, measure: Measure): number[] {
    const step = unitLength(measure) * (measure === "cm" ? 10 : 6);
    return Array.from({ length: Math.ceil(most / step) - 1 }, (_, at) => (at + 1) * step);
}

/** The cloth with its grid. */
const Cloth = memo(({ frame, measure }: { frame: Frame; measure: Measure }) => {
    const { w, h } = frame.bounds;
    const d = [...gridLines(w, measure).map((x) => `M${x} 0V${h}`), ...gridLines(h, measure).map((y) => `M0 ${h - y}H${w}`)].join("");
    return (
        <Fragment>
            <rect class="cloth-edge" x={-5} y={-5} width={w + 10} height={h + 10} rx={4} />
            <rect class="cloth" x={0} y={0} width={w} height={h} />
            <path class="grid" d={d} />
        </Fragment>
    );
});

/** Figures along the edge, which can be read on every screen. */
export const EdgeFigures = memo(({ frame, measure, perPixel }: { frame: Frame; measure: Measure; perPixel: number }) => {
    const { w, h } = frame.bounds;
    const font = Math.min(11 * perPixel, Math.max(7.5 * perPixel, Math.max(w, h) / 85));
    const figure = (mm: number) => String(Math.round(mm / unitLength(measure)));
    return (
        <g class="figures" font-size={font} aria-hidden="true">
            {gridLines(w, measure).map((x) => <text key={`x${x}`} x={x} y={h + font * 1.2}>{figure(x)}</text>)}
            {gridLines(h, measure).map((y) => <text key={`y${y}`} class="beside" x={-5 - font * 0.2} y={h - y}>{figure(y)}</text>)}
        </g>
    );
});

/** The hexes of a map: each side is drawn once. */
const Hexes = memo(({ frame, grounds }: { frame: Frame; grounds: readonly Ground[] }) => {
    const highest = Math.max(1, ...grounds.map((ground) => ground.level));
    const heights = new Map(grounds.map((ground) => [ground.name, ground.level]));
    return (
        <Fragment>
            <path class="cloth" d={outline(frame)} />
            {grounds.map((ground) => (
                <GroundOf key={ground.id} frame={frame} ground={ground} shade={shadeOf(ground.level, highest)} />
            ))}
            <path class="hexes" d={sidesOf(frame)} />
            <path class="slopes" d={slopes(frame, heights)} />
            {frame.columns * frame.rows <= MOST_NUMBERS && <Numbers frame={frame} />}
        </Fragment>
    );
});

/** Hexes of larger maps are numbered in the list of pieces alone. */
const MOST_NUMBERS = 700;

function Numbers({ frame }: { frame: Frame }) {
    const hexes = Array.from({ length: frame.columns * frame.rows }, (_, at) => hexAt(1 + (at % frame.columns), 1 + Math.floor(at / frame.columns)));
    return (
        <g class="numbers" font-size={frame.hex / 7.5} aria-hidden="true">
            {hexes.map((hex) => {
                const { x, y } = hexCentre(frame, hex);
                return <text key={hexName(hex)} x={x} y={y - frame.hex * 0.36}>{hexName(hex)}</text>;
            })}
        </g>
    );
}

/** Each side of each hex, once though two hexes have it. */
function sidesOf(frame: Frame): string {
    const sides = new Map<string, string>();
    for (let column = 1; column <= frame.columns; column++) {
        for (let row = 1; row <= frame.rows; row++) {
            const corners = hexCorners(frame, hexCentre(frame, hexAt(column, row)));
            corners.forEach((corner, at) => {
                const next = corners[(at + 1) % 6] as Spot;
                sides.set(`${Math.round(corner.x + next.x)} ${Math.round(corner.y + next.y)}`, pathOf([corner, next], false));
            });
        }
    }
    return [...sides.values()].join("");
}

function outline(frame: Frame): string {
    const cells: string[] = [];
    for (let column = 1; column <= frame.columns; column++) {
        for (let row = 1; row <= frame.rows; row++) cells.push(pathOf(hexCorners(frame, hexCentre(frame, hexAt(column, row)), 1.01), true));
    }
    return cells.join("");
}

/** The sides between hexes of different height. */
function slopes(frame: Frame, heights: ReadonlyMap<string, number>): string {
    const level = (hex: readonly [number, number]) => heights.get(hexName(hex)) ?? 0;
    const found: string[] = [];
    for (let column = 1; column <= frame.columns; column++) {
        for (let row = 1; row <= frame.rows; row++) {
            const hex = hexAt(column, row);
            const own = level(hex);
            const corners = hexCorners(frame, hexCentre(frame, hex));
            const beside: [[number, number], number, number][] = [
                [[hex[0] + 1, hex[1]], 0, 1],
                [[hex[0], hex[1] + 1], 1, 2],
                [[hex[0] - 1, hex[1] + 1], 2, 3],
            ];
            for (const [other, from, to] of beside) {
                if (other[0] < 1 || other[0] > frame.columns || level(other) === own) continue;
                found.push(pathOf([corners[from] as Spot, corners[to] as Spot], false));
            }
        }
    }
    return found.join("");
}

const GroundOf = memo(({ frame, ground, shade }: { frame: Frame; ground: Ground; shade: number }) => {
    const cell = pathOf(hexCorners(frame, ground.at), true);
    return (
        <g class={`ground hex look-${ground.look ?? "open"}`}>
            <title>{`${ground.name}: ${ground.sort}, level ${ground.level}${ground.smoke > 0 ? ", smoke" : ""}`}</title>
            {ground.look && <path class="bed" d={cell} />}
            {ground.look && PATTERNED.has(ground.look) && <path class="pattern" d={cell} fill={`url(#p-${ground.look})`} />}
            {ground.level > 0 && <path class="height" d={cell} fill-opacity={0.12 + 0.4 * shade} />}
            {ground.smoke > 0 && <path class="smoke" d={pathOf(hexCorners(frame, ground.at, 0.8), true)} />}
        </g>
    );
});

/** All that lies under the pieces; it is drawn again only when ground changes. */
export const GroundLayer = memo(({ frame, board, measure }: { frame: Frame; board: Board; measure: Measure }) => (
    <g class="ground-layer">
        {frame.isHex ? <Hexes frame={frame} grounds={board.grounds} /> : <Cloth frame={frame} measure={measure} />}
        {board.areas.map((area) => (
            <AreaOf key={area.id} area={area} />
        ))}
    </g>
), (a, b) => a.frame === b.frame && a.measure === b.measure && sameItems(a.board.areas, b.board.areas) && sameItems(a.board.grounds, b.board.grounds));

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
    return a.length === b.length && a.every((item, at) => item === b[at]);
}
