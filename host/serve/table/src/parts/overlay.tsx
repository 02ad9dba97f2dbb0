// What is drawn over the ground for the piece that is chosen and the action that
// is put together: reach, rings and arcs, places to go, routes, lines to targets.
import { Fragment } from "./memo.ts";
import { ShapeOf } from "./ground.tsx";
import { useRead, useTable } from "./held.ts";
import { length, type Measure } from "../pure/format.ts";
import { circlePath, distance, hexCorners, hexDistance, hexUnder, lengthOf, middle, onCircle, pathOf, regionShape, sectorPath, shapeOf, spotIn, spotOf, type Spot } from "../pure/geometry.ts";
import { entitiesOf } from "../pure/acting.ts";
import type { Piece } from "../pure/board.ts";
import type { LabelRequest } from "../pure/labels.ts";
import type { Around as AroundState, Choice } from "../protocol.ts";

/** Of so many places that may be chosen each is marked. */
const MOST_SPOTS = 150;

/** Rings, arcs and reach of the chosen piece; below the pieces. */
export function Around() {
    const around = useRead((state) => state.around);
    const frame = useRead((state) => state.frame);
    const piece = useRead((state) => (state.chosen === null ? null : (state.board.byId.get(state.chosen) ?? null)));
    const isDrawing = useRead((state) => state.acting !== null && typeof state.acting.next !== "string" && state.acting.next.domain.domain === "route");
    if (!around || !piece || isDrawing) return null;
    return (
        <g class="around" aria-hidden="true">
            {around.areas.map(({ title, shape }, at) => {
                const drawn = shapeOf(frame, shape);
                return drawn && <ShapeOf key={`${at}${title}`} shape={drawn} class="reach" />;
            })}
            {around.arcs.map((arc, at) => {
                const [from, to] = [arc.from / 60, arc.to / 60];
                return <path key={`${at}${arc.title}`} class="arc" d={sectorPath(piece.at, arc.radius / 1000, from, to)} />;
            })}
            {ringsApart(around.rings).map((ring, at) => <path key={ring.radius} class={`ring tier-${Math.min(at, 3)}`} d={circlePath(piece.at, ring.radius / 1000)} />)}
        </g>
    );
}

/** Names for rings and arcs, each wherever on its line there is room. */
export function aroundNames(around: AroundState, piece: Piece, measure: Measure, font: number): LabelRequest[] {
    const facing = piece.facing ?? 0;
    const turns = [18, -18, 36, -36, 60, -60, 90, -90, 130, -130, 180];
    const request = (id: string, text: string, radius: number, bearings: readonly number[]) => ({ id, text, at: piece.at, size: 0, font, rank: 2.5, spots: bearings.map((turn) => onCircle(piece.at, radius, turn)) });
    const rings = ringsApart(around.rings).map((ring) => request(`r${ring.radius}`, `${ring.title} · ${length(ring.radius / 1000, measure)}`, ring.radius / 1000, turns.map((turn) => facing + turn)));
    const arcs = around.arcs.map((arc, at) => {
        const [from, sweep] = [arc.from / 60, (((arc.to - arc.from) / 60) % 360 + 360) % 360];
        return request(`r${at} ${arc.title}`, arc.title, (arc.radius / 1000) * 0.93, [0.5, 0.3, 0.7, 0.15, 0.85].map((part) => from + sweep * part));
    });
    return [...rings, ...arcs];
}

/** Rings of one radius are one ring with several names. */
function ringsApart(rings: readonly { title: string; radius: number }[]): { title: string; radius: number }[] {
    const by = new Map<number, string[]>();
    for (const ring of rings) by.set(ring.radius, [...(by.get(ring.radius) ?? []), ring.title]);
    return [...by].sort(([a], [b]) => a - b).map(([radius, titles]) => ({ radius, title: [...new Set(titles)].join(", ") }));
}

/** The pieces of the chosen one's group, joined. */
export function Kin({ places }: { places: ReadonlyMap<number, Spot> }) {
    const board = useRead((state) => state.board);
    const chosen = useRead((state) => state.chosen);
    const id = chosen === null ? null : (board.byId.get(chosen)?.group ?? null);
    const group = id === null ? undefined : board.groups.get(id);
    const spots = (group?.members ?? []).flatMap((member) => places.get(member) ?? []);
    if (spots.length < 2) return null;
    const heart = middle(spots);
    return <path class="kin" aria-hidden="true" d={spots.map((spot) => pathOf([heart, spot], false)).join("")} />;
}

/** Places that may be given, below the pieces. */
export function Regions({ perPixel }: { perPixel: number }) {
    const table = useTable();
    const frame = useRead((state) => state.frame);
    useRead((state) => state.acting);
    useRead((state) => state.match.ask);
    useRead((state) => state.viewer);
    const domain = table.askedDomain();
    if (domain?.domain === "place") {
        const isAll = domain.regions.some((region) => "rectangle" in region && region.rectangle.min[0] <= 0 && region.rectangle.max[0] >= frame.bounds.w * 1000);
        return (
            <g class="regions">
                {!isAll && domain.regions.map((region, at) => <ShapeOf key={at} shape={regionShape(frame, region)} class="region" />)}
                {domain.candidates.map((point, at) => <Dot key={at} spot={spotOf(frame, point)} perPixel={perPixel} at={at} />)}
            </g>
        );
    }
    if (domain?.domain === "choices" || domain?.domain === "several") return <Spots choices={domain.choices} perPixel={perPixel} />;
    if (domain?.domain !== "route") return null;
    const start = spotOf(frame, domain.from);
    return (
        <g class="regions">
            {domain.candidates.map((route, at) => (
                <g key={at}>
                    <path class="hint" d={pathOf([start, ...route.map((point) => spotOf(frame, point))], false)} />
                    {route.length > 0 && <Dot spot={spotOf(frame, route.at(-1) ?? domain.from)} perPixel={perPixel} at={at} />}
                </g>
            ))}
        </g>
    );
}

/** Where choices lie that are places; of very many the board is full, and none stands out. */
function Spots({ choices, perPixel }: { choices: readonly Choice[]; perPixel: number }) {
    const frame = useRead((state) => state.frame);
    const shown = useRead((state) => state.spot);
    const spots = choices.flatMap((choice) => spotIn(frame, choice.value) ?? []);
    const markOf = (spot: Spot) => (frame.isHex ? pathOf(hexCorners(frame, spot, 0.9), true) : circlePath(spot, 6 * perPixel));
    return (
        <g class="regions" aria-hidden="true">
            {spots.length <= MOST_SPOTS && <path class="region" d={spots.map(markOf).join("")} />}
            {shown && <path class="spot" d={markOf(shown)} />}
        </g>
    );
}

function Dot({ spot, perPixel, at }: { spot: Spot; perPixel: number; at: number }) {
    return (
        <g class="candidate" data-candidate={at}>
            <circle class="touch" cx={spot.x} cy={spot.y} r={13 * perPixel} />
            <circle class="dot" cx={spot.x} cy={spot.y} r={4.5 * perPixel} />
        </g>
    );
}

/** What is being drawn, over the pieces. */
export function Drawn({ perPixel }: { perPixel: number }) {
    const table = useTable();
    const draft = useRead((state) => state.draft);
    const judgement = useRead((state) => state.judgement);
    const measure = useRead((state) => state.measure);
    useRead((state) => state.acting);
    const domain = table.askedDomain();
    if (draft.points.length === 0 || (domain?.domain !== "route" && domain?.domain !== "place")) return null;
    const start = table.routeStart();
    const points = start ? [start, ...draft.points] : draft.points;
    const end = draft.points.at(-1) ?? points[0];
    if (!end) return null;
    return (
        <g class={`drawn is-${judgement.verdict}`} aria-hidden="true">
            {start && <path class="route" d={pathOf(points, false)} />}
            {draft.points.map((spot, at) => <circle key={at} class="knee" cx={spot.x} cy={spot.y} r={(at === draft.points.length - 1 ? 7 : 4.5) * perPixel} />)}
            {start && (
                <Tag at={{ x: end.x, y: end.y - 20 * perPixel }} perPixel={perPixel} text={length(lengthOf(points), measure)} />
            )}
        </g>
    );
}

/** Lines from the one who acts to those who may be pointed at. */
export function Aims({ places, perPixel }: { places: ReadonlyMap<number, Spot>; perPixel: number }) {
    const table = useTable();
    const acting = useRead((state) => state.acting);
    const pointed = useRead((state) => state.pointed);
    const chosen = useRead((state) => state.chosen);
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const draft = useRead((state) => state.draft);
    const domain = table.askedDomain();
    const from = chosen === null ? undefined : places.get(chosen);
    if (!from || !domain || !acting) return null;
    const listed = draft.list.flatMap((value) => entitiesOf({ domain: "choices", choices: [{ value, label: "" }] }));
    const shown = entitiesOf(domain).filter((entity) => entity === pointed || listed.includes(entity));
    return (
        <g class="aims" aria-hidden="true">
            {shown.map((entity) => {
                const piece = table.pieceOf(entity);
                const to = piece ? places.get(piece.id) : undefined;
                if (!to) return null;
                const far = frame.isHex ? hexDistance(hexUnder(frame, from), hexUnder(frame, to)) * frame.hex : distance(from, to);
                return (
                    <Fragment key={entity}>
                        <path class="aim" d={pathOf([from, to], false)} />
                        <Tag at={middle([from, to])} perPixel={perPixel} text={length(far, measure)} />
                    </Fragment>
                );
            })}
        </g>
    );
}

/** A line that measures. */
export function Measured({ perPixel }: { perPixel: number }) {
    const points = useRead((state) => state.measured);
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const [from, to] = points;
    if (!from || !to) return null;
    const far = frame.isHex ? hexDistance(hexUnder(frame, from), hexUnder(frame, to)) * frame.hex : distance(from, to);
    return (
        <g class="measured" aria-hidden="true">
            <path class="tape" d={pathOf([from, to], false)} />
            <circle class="knee" cx={from.x} cy={from.y} r={4 * perPixel} />
            <circle class="knee" cx={to.x} cy={to.y} r={4 * perPixel} />
            <Tag at={middle([from, to])} perPixel={perPixel} text={length(far, measure)} />
        </g>
    );
}

/** A short text on a ground of its own. */
function Tag({ at, perPixel, text }: { at: Spot; perPixel: number; text: string }) {
    const font = 12 * perPixel;
    const w = text.length * font * 0.58 + font;
    return (
        <g class="tag">
            <rect x={at.x - w / 2} y={at.y - font * 0.85} width={w} height={font * 1.7} rx={font * 0.4} />
            <text x={at.x} y={at.y + font * 0.35} font-size={font}>{text}</text>
        </g>
    );
}
