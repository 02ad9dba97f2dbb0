// The board: the map, the pieces on it, and what the pointer and the keys do.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Fragment } from "./memo.ts";
import { EdgeFigures, GroundLayer, Patterns } from "./ground.tsx";
import { useRead, useTable } from "./held.ts";
import { Aims, Around, aroundNames, Drawn, Kin, Measured, Regions } from "./overlay.tsx";
import { PieceOf, type Role } from "./piece.tsx";
import { useSight, type Sight } from "./view-box.ts";
import { Legend } from "./legend.tsx";
import { candidatesOf, entitiesOf } from "../pure/acting.ts";
import { facingInWords, placeInWords, spoken, spread, type Piece } from "../pure/board.ts";
import { entityIn, length, unitLength } from "../pure/format.ts";
import { distance, namePlace, nearestTowards, spotOf, type Frame, type Spot } from "../pure/geometry.ts";
import { placed, type Label, type Rect, type LabelRequest } from "../pure/labels.ts";
import type { Action } from "../protocol.ts";
import type { Table } from "../table.ts";

/** A pointer that moves less than this has clicked, in pixels. */
const SLOP = 6;
/** A thumb that comes so near a piece means it, in pixels. */
const THUMB = 24;

export function Board() {
    const table = useTable();
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const board = useRead((state) => state.board);
    const isMeasuring = useRead((state) => state.isMeasuring);
    const lengthText = useCallback((mm: number) => length(mm, measure).replace(".0 ", " "), [measure]);
    const sight = useSight(frame, unitLength(measure), lengthText);
    const { perPixel } = sight;
    const size = pieceSize(frame, measure === "cm", perPixel);
    const places = useMemo(() => spread(board.pieces, size * 0.42), [board, size]);
    const handlers = usePointers(table, sight, places, size);
    const keys = useKeys(table, sight, places);
    const isAsking = useRead((state) => state.acting !== null && typeof state.acting.next !== "string" && ["place", "route"].includes(state.acting.next.domain.domain));

    return (
        <section class={`board${isMeasuring ? " measuring" : ""}${isAsking ? " placing" : ""}`} aria-label="Board">
            <svg ref={sight.svg} class="map" role="group" aria-label="Map. Arrow keys go from piece to piece, Enter chooses." {...handlers} onKeyDown={keys}>
                <Patterns />
                <GroundLayer frame={frame} board={board} measure={measure} />
                {!frame.isHex && <EdgeFigures frame={frame} measure={measure} perPixel={perPixel} />}
                {/* Each layer has a place of its own: what comes and goes moves no piece, which would lose the focus. */}
                <g><Regions perPixel={perPixel} /></g>
                <g><Around /></g>
                <g><Kin places={places} /></g>
                <Pieces places={places} size={size} />
                <g><Names places={places} size={size} perPixel={perPixel} isSmall={(sight.svg.current?.clientWidth ?? 1000) < 600} /></g>
                <g><Aims places={places} perPixel={perPixel} /></g>
                <g><Drawn perPixel={perPixel} /></g>
                <g><Measured perPixel={perPixel} /></g>
            </svg>
            <div class="scale" aria-hidden="true"><span ref={sight.scale} class="bar"><span class="figure" /></span></div>
            <Legend />
            <div class="tools" role="toolbar" aria-label="Map">
                <button type="button" onClick={() => sight.zoom(1.35)} aria-label="Nearer" title="Nearer (+)">+</button>
                <button type="button" onClick={() => sight.zoom(1 / 1.35)} aria-label="Farther" title="Farther (−)">−</button>
                <button type="button" onClick={() => sight.fit()} aria-label="Whole map" title="Whole map (0)"><Icon d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" /></button>
                <button type="button" aria-pressed={isMeasuring} onClick={() => table.toggleMeasuring()} aria-label="Measure" title="Measure (m)"><Icon d="M3 15L15 3l6 6L9 21zM7 11l2 2M10 8l3 3M13 5l2 2" /></button>
            </div>
        </section>
    );
}

function Icon({ d }: { d: string }) {
    return <svg viewBox="0 0 24 24" class="icon" aria-hidden="true"><path d={d} /></svg>;
}

/** As large as on the table, but never too small to hit. */
function pieceSize(frame: Frame, isMetric: boolean, perPixel: number): number {
    if (frame.isHex) return Math.min(frame.hex * 0.74, Math.max(frame.hex * 0.6, 16 * perPixel));
    return Math.max(isMetric ? 11 : 22, 23 * perPixel);
}

/** Who may be clicked, and what that does. */
function useRoles(): (piece: Piece) => Role {
    const table = useTable();
    const allowed = useRead((state) => state.allowed);
    const acting = useRead((state) => state.acting);
    const draft = useRead((state) => state.draft);
    const ask = useRead((state) => state.match.ask);
    const viewer = useRead((state) => state.viewer);
    const past = useRead((state) => state.past);
    return useMemo(() => {
        const domain = table.askedDomain();
        const targets = new Set(domain ? entitiesOf(domain) : []);
        const picked = new Set(draft.list.flatMap((value) => entityIn(value) ?? []));
        const able = new Set(acting || past ? [] : (allowed?.actions ?? []).flatMap((action) => (action.refused ? [] : (entityIn(action.actor) ?? []))));
        const has = (set: ReadonlySet<number>, piece: Piece) => set.has(piece.id) || (piece.group !== null && set.has(piece.group));
        return (piece: Piece) => (has(picked, piece) ? "picked" : has(targets, piece) ? "target" : has(able, piece) ? "able" : "idle");
    }, [allowed, acting, draft, ask, viewer, past]);
}

function Pieces({ places, size }: { places: ReadonlyMap<number, Spot>; size: number }) {
    const board = useRead((state) => state.board);
    const chosen = useRead((state) => state.chosen);
    const highlighted = useRead((state) => state.highlighted);
    const hues = useRead((state) => state.hues);
    const catalogue = useRead((state) => state.catalogue);
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const roleOf = useRoles();
    const order = useMemo(() => [...board.pieces].sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id), [board]);
    const titles = useMemo(() => new Map(catalogue?.sides.map((side) => [side.id, side.title])), [catalogue]);
    const lit = useMemo(() => new Set(highlighted), [highlighted]);
    const where = useMemo(() => new Map(board.pieces.map((piece) => [piece.id, placeInWords(piece, board, frame, measure)])), [board, frame, measure]);
    const first = chosen !== null && board.byId.has(chosen) ? chosen : (order.find((piece) => roleOf(piece) !== "idle") ?? order[0])?.id;
    return (
        <g class="pieces">
            {order.map((piece) => {
                const at = places.get(piece.id) ?? piece.at;
                const group = piece.group === null ? undefined : board.groups.get(piece.group);
                return (
                    <PieceOf
                        key={piece.id}
                        piece={piece}
                        x={at.x}
                        y={at.y}
                        size={piece.form === "marker" ? size * 0.85 : size}
                        hue={(piece.side && hues.get(piece.side)) || "none"}
                        role={roleOf(piece)}
                        isChosen={piece.id === chosen}
                        isHighlighted={lit.has(piece.id) || (piece.group !== null && lit.has(piece.group))}
                        name={spoken(piece, (piece.side && titles.get(piece.side)) || null, group?.label ?? null, where.get(piece.id) ?? null, facingInWords(piece), MAY[roleOf(piece)])}
                        tab={piece.id === first ? 0 : -1}
                    />
                );
            })}
        </g>
    );
}

/** What may be done with a piece, for those who do not see its ring. */
const MAY: Readonly<Record<Role, string | null>> = { idle: null, able: "may act", target: "can be chosen", picked: "chosen" };

/** Wrecks lie below markers, and these below whoever fights. */
function rankOf(piece: Piece): number {
    return piece.isWreck ? 0 : piece.form === "marker" ? 1 : 2;
}

function boxOf(spot: Spot, size: number): Rect {
    return { x: spot.x - size / 2, y: spot.y - size / 2, w: size, h: size };
}

/** The names of pieces and of ground: one does not cover the other. */
function Names({ places, size, perPixel, isSmall }: { places: ReadonlyMap<number, Spot>; size: number; perPixel: number; isSmall: boolean }) {
    const table = useTable();
    const board = useRead((state) => state.board);
    const chosen = useRead((state) => state.chosen);
    const pointed = useRead((state) => state.pointed);
    const around = useRead((state) => state.around);
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const isDrawing = useRead((state) => state.acting !== null && typeof state.acting.next !== "string" && state.acting.next.domain.domain === "route");
    const acting = useRead((state) => state.acting);
    const ask = useRead((state) => state.match.ask);
    const past = useRead((state) => state.past);
    const suggested = useMemo(() => candidatesOf(table.askedDomain()).map((point) => spotOf(frame, point)), [table, acting, ask, past, frame]);
    const font = 11 * perPixel;
    const large = (isSmall ? 11.5 : 13.5) * perPixel;
    const labels = useMemo(() => {
        const rank = (piece: Piece) => (piece.id === chosen ? 4 : piece.id === pointed ? 3 : piece.form === "marker" ? 1 : piece.isWreck ? 0 : 2);
        const pieces: LabelRequest[] = board.pieces.map((piece) => ({ id: `p${piece.id}`, text: piece.label, at: places.get(piece.id) ?? piece.at, size: size * 1.1, font, rank: rank(piece) }));
        const grounds: LabelRequest[] = board.areas.filter((area) => area.isNamed).map((area) => ({ id: `a${area.id}`, text: area.name, at: namePlace(area.shape), size: 0, font: large, rank: 1, isCentred: true }));
        const piece = chosen === null ? undefined : board.byId.get(chosen);
        const rings = around && piece && !isDrawing ? aroundNames(around, piece, measure, font) : [];
        const dots = suggested.map((spot) => boxOf(spot, 13 * perPixel));
        return placed([...pieces, ...grounds, ...rings], [...[...places.values()].map((spot) => boxOf(spot, size * 0.9)), ...dots], frame.bounds);
    }, [board, places, size, font, chosen, pointed, around, isDrawing, suggested]);
    return (
        <Fragment>
            <Texts class="place-names" labels={labels.filter((label) => label.id.startsWith("a"))} font={large} />
            <Texts class="ring-names" labels={labels.filter((label) => label.id.startsWith("r"))} font={font} />
            <Texts class="names" labels={labels.filter((label) => label.id.startsWith("p"))} font={font} />
        </Fragment>
    );
}

function Texts({ class: name, labels, font }: { class: string; labels: readonly Label[]; font: number }) {
    return (
        <g class={name} font-size={font} aria-hidden="true">
            {labels.map((label) => (
                <text key={label.id} x={label.x} y={label.y + font * 0.34}>{label.text}</text>
            ))}
        </g>
    );
}

type Drag = { at: { x: number; y: number }; start: Spot; isMoved: boolean; piece: number | null; what: "pan" | "point" | "measure" | "action" | "press"; knee: number };

/** Pans, pinches, clicks and drags. */
function usePointers(table: Table, sight: Sight, places: ReadonlyMap<number, Spot>, size: number) {
    const pointers = useRef(new Map<number, { x: number; y: number }>());
    const drag = useRef<Drag | null>(null);
    const pinch = useRef(0);
    const held = useRef({ sight, places, size });
    held.current = { sight, places, size };

    useEffect(() => {
        const svg = sight.svg.current;
        const wheel = (event: WheelEvent) => {
            event.preventDefault();
            if (event.ctrlKey || event.deltaMode !== 0 || Math.abs(event.deltaY) >= 40) sight.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 480)), sight.spotAt(event));
            else sight.pan(-event.deltaX, -event.deltaY);
        };
        svg?.addEventListener("wheel", wheel, { passive: false });
        return () => svg?.removeEventListener("wheel", wheel);
    }, [sight.spotAt]);

    const snapped = (spot: Spot): Spot => {
        const near = [...held.current.places.values()].find((place) => distance(place, spot) < held.current.size * 0.6);
        return near ?? spot;
    };

    /** A thumb means the piece that it nearly touches. */
    const nearlyUnder = (event: PointerEvent, spot: Spot): number | null => {
        if (event.pointerType !== "touch") return null;
        const reach = THUMB * sight.perPixelNow();
        const near = [...held.current.places].map(([id, place]) => [id, distance(place, spot)] as const).filter(([, far]) => far < reach);
        return near.sort(([, a], [, b]) => a - b)[0]?.[0] ?? null;
    };

    const down = (event: PointerEvent) => {
        if (event.button !== 0) return;
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (pointers.current.size === 2) {
            pinch.current = span(pointers.current);
            drag.current = null;
            return;
        }
        const spot = sight.spotAt(event);
        const domain = table.askedDomain();
        const isPlaced = domain?.domain === "route" || domain?.domain === "place" || table.state.isMeasuring || candidateUnder(event.target) !== null;
        const piece = pieceUnder(event.target) ?? (isPlaced ? null : nearlyUnder(event, spot));
        const isDrawing = domain?.domain === "route" || domain?.domain === "place";
        const points = table.state.draft.points;
        const knee = isDrawing ? points.findIndex((point) => distance(point, spot) < 14 * sight.perPixelNow()) : -1;
        const isGrabbed = knee >= 0 || (isDrawing && piece !== null && piece === table.state.chosen);
        const what = table.state.isMeasuring ? "measure" : isGrabbed ? "point" : isDrawing ? "pan" : piece !== null && routeAction(table, piece) ? "action" : piece !== null ? "press" : "pan";
        drag.current = { at: { x: event.clientX, y: event.clientY }, start: spot, isMoved: false, piece, what, knee };
    };

    const move = (event: PointerEvent) => {
        table.point(pieceUnder(event.target) ?? (event.pointerType === "mouse" ? null : table.state.pointed));
        // A button that was let go of outside of the map tells nothing of it.
        if (event.buttons === 0) return letGo(event);
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (pointers.current.size === 2) return pinched(event, before);
        const now = drag.current;
        if (!now) return;
        if (!now.isMoved && Math.hypot(event.clientX - now.at.x, event.clientY - now.at.y) < SLOP) return;
        if (!now.isMoved) (event.currentTarget as Element).setPointerCapture?.(event.pointerId);
        now.isMoved = true;
        const spot = sight.spotAt(event);
        if (now.what === "measure") table.measureTo([snapped(now.start), snapped(spot)]);
        else if (now.what === "point") dragPoint(table, now, spot);
        else if (now.what === "action") dragAction(table, now, spot);
        else sight.pan(event.clientX - before.x, event.clientY - before.y);
    };

    const pinched = (event: PointerEvent, before: { x: number; y: number }) => {
        const now = span(pointers.current);
        const [a, b] = [...pointers.current.values()];
        if (!a || !b) return;
        sight.zoom(now / Math.max(1, pinch.current), sight.spotAt({ clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 }));
        sight.pan((event.clientX - before.x) / 2, (event.clientY - before.y) / 2);
        pinch.current = now;
    };

    /** Ends what a pointer began, without a click: also where the system has taken it for a gesture of its own. */
    const letGo = (event: PointerEvent) => {
        pointers.current.delete(event.pointerId);
        drag.current = null;
    };

    const up = (event: PointerEvent) => {
        const was = drag.current;
        letGo(event);
        if (!was || was.isMoved) return;
        clicked(table, was, sight.spotAt(event), candidateUnder(event.target), snapped);
    };

    return { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: letGo, onPointerLeave: () => table.point(null) };
}

function span(pointers: ReadonlyMap<number, { x: number; y: number }>): number {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 1;
}

function pieceUnder(target: EventTarget | null): number | null {
    const found = target instanceof Element ? target.closest("[data-piece]") : null;
    return found ? Number(found.getAttribute("data-piece")) : null;
}

function candidateUnder(target: EventTarget | null): number | null {
    const found = target instanceof Element ? target.closest("[data-candidate]") : null;
    return found ? Number(found.getAttribute("data-candidate")) : null;
}

/** The action of a piece that goes along a way, if it may do one. */
function routeAction(table: Table, piece: number): Action | null {
    if (table.state.acting || table.state.isMeasuring) return null;
    const actions = table.state.allowed?.actions ?? [];
    return actions.find((action) => !action.refused && entityIn(action.actor) === piece && action.params.some((param) => /list\(point\)|path/.test(param.type))) ?? null;
}

function dragPoint(table: Table, drag: Drag, spot: Spot): void {
    const points = [...table.state.draft.points];
    const isPlace = table.askedDomain()?.domain === "place";
    if (isPlace) return table.draftPoints([spot]);
    if (drag.knee < 0) {
        points.push(spot);
        drag.knee = points.length - 1;
    } else points[drag.knee] = spot;
    table.draftPoints(points);
}

/** Dragging a piece that may move begins its move, and draws where to. */
function dragAction(table: Table, drag: Drag, spot: Spot): void {
    const action = drag.piece === null ? null : routeAction(table, drag.piece);
    if (action) void table.begin(action);
    table.dragTo(spot);
}

function clicked(table: Table, was: Drag, spot: Spot, candidate: number | null, snapped: (spot: Spot) => Spot): void {
    const { state } = table;
    const domain = table.askedDomain();
    if (was.what === "measure") {
        const [from, to] = state.measured;
        return table.measureTo(from && !to ? [from, snapped(spot)] : [snapped(spot)]);
    }
    if (domain?.domain === "place" || domain?.domain === "route") {
        const given = candidate === null ? undefined : domain.candidates[candidate];
        if (given !== undefined) return table.draftCandidate(given as [number, number] | [number, number][]);
        if (was.piece === null || was.piece !== state.chosen) {
            const isFull = domain.domain === "route" && state.draft.points.length >= domain.legs;
            const before = domain.domain === "place" ? [] : isFull ? state.draft.points.slice(0, -1) : state.draft.points;
            return table.draftPoints([...before, spot]);
        }
        return;
    }
    if (was.piece !== null) return table.press(was.piece);
    if (table.giveSpot(spot)) return;
    if (!state.acting) table.choose(null);
}

const ARROWS: Readonly<Record<string, "up" | "down" | "left" | "right">> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** Arrow keys go from piece to piece, or move the point that is being drawn. */
function useKeys(table: Table, sight: Sight, places: ReadonlyMap<number, Spot>) {
    const [, focus] = useState(0);
    return (event: KeyboardEvent) => {
        const piece = pieceUnder(event.target);
        const towards = ARROWS[event.key];
        if (towards && event.shiftKey) sight.pan(towards === "left" ? 60 : towards === "right" ? -60 : 0, towards === "up" ? 60 : towards === "down" ? -60 : 0);
        else if (towards && table.nudge(towards, event.altKey)) focus((n) => n + 1);
        else if (towards) walk(table, sight, places, piece, towards);
        else if (event.key === "Enter" || event.key === " ") {
            if (table.askedDomain() && table.state.draft.points.length > 0) table.giveDrawn();
            else if (piece !== null) table.press(piece);
        } else if (event.key === "+" || event.key === "=") sight.zoom(1.25);
        else if (event.key === "-") sight.zoom(0.8);
        else if (event.key === "0") sight.fit();
        else return;
        event.preventDefault();
    };
}

function walk(table: Table, sight: Sight, places: ReadonlyMap<number, Spot>, piece: number | null, towards: "up" | "down" | "left" | "right"): void {
    const from = (piece === null ? undefined : places.get(piece)) ?? { x: 0, y: 0 };
    const next = nearestTowards(from, [...places].filter(([id]) => id !== piece), ([, spot]) => spot, towards);
    if (!next) return;
    sight.reveal(next[1]);
    table.point(next[0]);
    sight.svg.current?.querySelector<SVGElement>(`[data-piece="${next[0]}"]`)?.focus();
}

