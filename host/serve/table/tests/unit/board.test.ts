import assert from "node:assert/strict";
import { test } from "node:test";
import { BoardReader } from "../../src/pure/board.ts";
import { distance, frameOf, hexAt, hexCentre, sideBetween } from "../../src/pure/geometry.ts";
import { changed, NO_MATCH } from "../../src/pure/match.ts";
import type { Catalogue, Plain } from "../../src/protocol.ts";
import { entityChanges } from "../entities.ts";

const MAP = frameOf([254_000, 254_000], "flat");
const about = (type: string): { type: string; doc: string; default: Plain } => ({ type, doc: "", default: null });
const CATALOGUE: Catalogue = {
    title: "", text: "", selector: "", sides: [], table: [254_000, 254_000], metric: false, hexes: "flat", secrets: false, undo: "umpire", phases: {}, actions: {},
    kinds: {
        border: { title: "Hexside", role: "piece", at: "at", attributes: { at: about("hex"), to: about("hex"), what: about("stream|hedgerow") } },
        road: { title: "Road", role: "none", attributes: { sort: about("primary|trail"), along: about("list(hex)") } },
        tank: { title: "Tank", role: "piece", at: "at", attributes: { at: about("hex"), has_moved: about("bool"), status: about("fit|damaged") } },
        mines: { title: "Minefield", role: "piece", at: "at", attributes: { at: about("hex") } },
    },
};
const hex = (column: number, row: number): Plain => ({ hex: hexAt(column, row) });

test("the side between two hexes lies half way, and hexes apart have none", () => {
    const [a, b] = [hexCentre(MAP, hexAt(3, 3)), hexCentre(MAP, hexAt(4, 3))];
    const side = sideBetween(MAP, a, b);
    assert.ok(side && side.every((corner) => Math.abs(distance(corner, a) - distance(corner, b)) < 0.01), JSON.stringify(side));
    assert.ok(side && Math.abs(distance(side[0], side[1]) - MAP.hex / Math.sqrt(3)) < 0.01);
    assert.equal(sideBetween(MAP, a, hexCentre(MAP, hexAt(5, 3))), null);
});

test("streams lie along sides, roads go through hexes, and neither is a piece", () => {
    const set = [
        { entity: 1, kind: "border", label: "brook", attributes: { at: hex(3, 3), to: hex(3, 4), what: "stream" } },
        { entity: 2, kind: "road", label: "r1", attributes: { sort: "primary", along: [hex(1, 1), hex(2, 1), hex(3, 1)] } },
        { entity: 3, kind: "road", label: "r2", attributes: { sort: "trail", along: [hex(1, 1), hex(1, 2)] } },
        { entity: 4, kind: "mines", label: "m1", attributes: { at: hex(5, 5) } },
    ];
    const match = changed(NO_MATCH, { viewer: "blue", game: "g1", seq: 1, whole: true, ...entityChanges(...set) });
    const board = new BoardReader(CATALOGUE, MAP, "hex").read(match);
    assert.deepEqual(board.pieces.map((piece) => piece.id), [4]);
    assert.deepEqual(board.areas.map(({ id, look, sort }) => [id, look, sort]), [[1, "water", "stream"], [3, "track", "trail"], [2, "road", "primary road"]]);
});

test("states stand in one order, whatever one was told of first", () => {
    const [moved, damaged] = [{ has_moved: true }, { status: "damaged" }];
    const statesAfter = (...told: Record<string, Plain>[]) => {
        const first = changed(NO_MATCH, { game: "g1", seq: 1, whole: true, ...entityChanges({ entity: 1, kind: "tank", label: "t", attributes: { at: hex(3, 3) } }) });
        const match = told.reduce((match, set, at) => changed(match, { seq: at + 2, set: { "1": set } }), first);
        return new BoardReader(CATALOGUE, MAP, "hex").read(match).byId.get(1)?.states.map(({ text }) => text);
    };
    assert.deepEqual(statesAfter(moved, damaged), ["moved", "damaged"]);
    assert.deepEqual(statesAfter(damaged, moved), ["moved", "damaged"]);
});
