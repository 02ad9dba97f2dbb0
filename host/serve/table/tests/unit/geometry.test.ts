import assert from "node:assert/strict";
import { test } from "node:test";
import { bearing, columnRow, fitted, frameOf, hexAt, hexCentre, hexCorners, hexDistance, hexUnder, holds, lengthOf, nearestTowards, onCircle, pointOf, sectorPath, shapeOf, spotOf, zoomed, boxAround, within } from "../../src/pure/geometry.ts";

const FOOT = frameOf([304_800, 304_800], null);

test("points of the table lie above its lower left corner, and come back as they were", () => {
    assert.deepEqual(spotOf(FOOT, [0, 0]), { x: 0, y: 304.8 });
    assert.deepEqual(spotOf(FOOT, [25_400, 304_800]), { x: 25.4, y: 0 });
    for (const point of [[0, 0], [1, 304_799], [123_457, 98_765]] as const) assert.deepEqual(pointOf(FOOT, spotOf(FOOT, point)), [...point]);
});

test("a hex is under its own middle, and columns and rows come back", () => {
    const map = frameOf([1_016_000, 1_016_000], "flat");
    assert.deepEqual([map.columns, map.rows], [40, 40]);
    for (let column = 1; column <= 40; column += 3) {
        for (let row = 1; row <= 40; row += 3) {
            const hex = hexAt(column, row);
            assert.deepEqual(columnRow(hex), [column, row]);
            assert.deepEqual(hexUnder(map, hexCentre(map, hex)), hex);
        }
    }
});

test("hexes that touch are one hex apart, and odd columns lie half a hex lower", () => {
    const map = frameOf([254_000, 254_000], "flat");
    assert.equal(hexDistance(hexAt(2, 2), hexAt(3, 2)), 1);
    assert.equal(hexDistance(hexAt(5, 3), hexAt(5, 9)), 6);
    assert.equal(hexCentre(map, hexAt(1, 1)).y - hexCentre(map, hexAt(2, 1)).y, 12.7);
    const [corner] = hexCorners(map, hexCentre(map, hexAt(1, 1)));
    assert.ok(corner && corner.x > hexCentre(map, hexAt(1, 1)).x, "a flat side lies to the north");
});

test("the whole map of hexes lies within its bounds", () => {
    const map = frameOf([254_000, 152_400], "flat");
    for (const [column, row] of [[1, 1], [10, 1], [1, 6], [10, 6], [9, 6]] as const) {
        for (const corner of hexCorners(map, hexCentre(map, hexAt(column, row)))) {
            assert.ok(corner.x > -0.01 && corner.x < map.bounds.w + 0.01, `${column} ${row}`);
            assert.ok(corner.y > -0.01 && corner.y < map.bounds.h + 0.01, `${column} ${row}`);
        }
    }
});

test("ground is a polygon, a disc or a band, and nothing else is ground", () => {
    const at = (x: number, y: number) => ({ point: [x, y] as [number, number] });
    assert.equal(shapeOf(FOOT, { record: { polygon: [at(0, 0), at(1000, 0), at(0, 1000)] } })?.form, "polygon");
    assert.deepEqual(shapeOf(FOOT, { record: { centre: at(0, 304_800), radius: { length: 25_400 } } }), { form: "disc", centre: { x: 0, y: 0 }, radius: 25.4 });
    assert.equal(shapeOf(FOOT, { record: { line: [at(0, 0), at(1000, 0)], half_width: { length: 500 } } })?.form, "band");
    for (const value of [null, 3, "wood", { record: {} }, { record: { polygon: [at(0, 0)] } }]) assert.equal(shapeOf(FOOT, value), null);
});

test("bearings run clockwise from north", () => {
    const here = { x: 100, y: 100 };
    assert.equal(bearing(here, { x: 100, y: 50 }), 0);
    assert.equal(bearing(here, { x: 150, y: 100 }), 90);
    assert.equal(Math.round(onCircle(here, 10, 90).x), 110);
    assert.equal(Math.round(onCircle(here, 10, 180).y), 110);
});

test("an arc over north is drawn the short way", () => {
    assert.match(sectorPath({ x: 0, y: 0 }, 10, 315, 45), / 0 0 1 /);
    assert.match(sectorPath({ x: 0, y: 0 }, 10, 45, 315), / 0 1 1 /);
});

test("a region holds what lies in it, its edge and no more", () => {
    const box = { rectangle: { min: [0, 0] as [number, number], max: [100_000, 50_000] as [number, number] } };
    assert.ok(holds(box, [50_000, 25_000]) && holds(box, [100_000, 50_000]) && holds(box, [0, 0]));
    assert.ok(!holds(box, [50_000, 75_000]) && !holds(box, [100_001, 50_000]) && !holds(box, [-1, 0]));
    const disc = { disc: { centre: [0, 0] as [number, number], radius: 1000 } };
    assert.ok(holds(disc, [600, 600]) && holds(disc, [600, 800]) && !holds(disc, [601, 800]));
});

test("the length of a way is that of its legs", () => {
    assert.equal(lengthOf([{ x: 0, y: 0 }, { x: 3, y: 4 }, { x: 3, y: 14 }]), 15);
    assert.equal(lengthOf([{ x: 1, y: 1 }]), 0);
});

test("zooming keeps the place under the pointer, and the whole map fits at first", () => {
    const box = fitted(FOOT.bounds, 800, 600, 10);
    assert.ok(box.w / box.h - 800 / 600 < 1e-9);
    assert.ok(box.x <= -10 + 1e-9 && box.y <= -10 + 1e-9);
    const about = { x: 150, y: 150 };
    const near = zoomed(box, 2, about, FOOT.bounds);
    assert.ok(Math.abs((about.x - near.x) / near.w - (about.x - box.x) / box.w) < 1e-9);
    assert.equal(Math.round(box.w / near.w), 2);
});

test("arrow keys go to the nearest piece in that direction, or nowhere", () => {
    const spots = [{ x: 10, y: 0 }, { x: 30, y: 2 }, { x: 0, y: 20 }, { x: -10, y: 50 }];
    const from = { x: 0, y: 0 };
    const to = (towards: "up" | "down" | "left" | "right") => nearestTowards(from, spots, (spot) => spot, towards);
    assert.deepEqual(to("right"), { x: 10, y: 0 });
    assert.deepEqual(to("down"), { x: 0, y: 20 });
    assert.equal(to("up"), null);
});

test("a spot is told in which shapes it lies", () => {
    const square = { form: "polygon" as const, points: [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }, { x: 5, y: 5 }, { x: 0, y: 10 }] };
    assert.deepEqual([{ x: 2, y: 2 }, { x: 5, y: 8 }, { x: 9, y: 8 }, { x: 11, y: 2 }].map((spot) => within(square, spot)), [true, false, true, false]);
    const road = { form: "band" as const, half: 1, line: [{ x: 0, y: 0 }, { x: 0, y: 20 }, { x: 20, y: 20 }] };
    assert.deepEqual([{ x: 1, y: 9 }, { x: 2, y: 9 }, { x: 15, y: 21 }, { x: 22, y: 20 }].map((spot) => within(road, spot)), [true, false, true, false]);
    assert.deepEqual([{ x: 3, y: 4 }, { x: 4, y: 4 }].map((spot) => within({ form: "disc", centre: { x: 0, y: 0 }, radius: 5 }, spot)), [true, false]);
    assert.deepEqual(boxAround(road), { x: -1, y: -1, w: 22, h: 22 });
});
