import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf, choosingOf, isAskedFor, NOTHING_CHOSEN, ruled, sizeOf, withClause, withOption } from "../../src/pure/rules.ts";
import { decisionsIn, reloadLines } from "../../src/pure/log.ts";
import { frameOf } from "../../src/pure/geometry.ts";
import { around, courseOf, partedAttributes } from "../../src/pure/versions.ts";
import { NO_MATCH } from "../../src/pure/match.ts";
import type { Catalogue, Difference, ModRules, Reloaded, LoggedEvent } from "../../src/protocol.ts";

const CLAUSE = { source: "p. 1", effect: "adds" as const, on: true, core: false, requires: [] };
const MOD: ModRules = {
    id: "demo",
    title: "Demo",
    text: "",
    on: true,
    groups: [{ id: "demo.fire", title: "Fire", text: "", clauses: [{ ...CLAUSE, id: "demo.fire.range", title: "Range", text: "Guns reach far." }, { ...CLAUSE, id: "demo.fire.luck", title: "Luck", text: "A chit is drawn." }] }],
    options: [{ id: "demo.fire.needed", title: "To hit", text: "", type: "integer 2..6", value: "4", default: "4", clause: null }],
};

test("what is chosen is only what is otherwise than it is", () => {
    const one = withClause(NOTHING_CHOSEN, "demo.fire.luck", false, true);
    const two = withOption(one, "demo.fire.needed", "6", "4");
    assert.equal(sizeOf(two), 2);
    assert.equal(ruled(two, "demo.fire.luck", true), false);
    assert.equal(ruled(two, "demo.fire.range", true), true);
    assert.deepEqual(choosingOf(two, "from_now"), { on: [], off: ["demo.fire.luck"], options: { "demo.fire.needed": "6" }, past: "from_now" });
    assert.equal(sizeOf(withOption(withClause(two, "demo.fire.luck", true, true), "demo.fire.needed", "4", "4")), 0);
});

test("options whose values are listed are chosen from the list", () => {
    assert.deepEqual(choicesOf("bool")?.map((one) => one.value), ["true", "false"]);
    assert.deepEqual(choicesOf("close|very_long"), [{ value: "close", text: "Close" }, { value: "very_long", text: "Very long" }]);
    assert.equal(choicesOf("integer 2..6"), null);
    assert.equal(choicesOf("length"), null);
});

test("a search keeps the clauses that have its words, and their groups", () => {
    assert.deepEqual(isAskedFor(MOD, "chit")?.groups.map((group) => group.clauses.map((clause) => clause.id)), [["demo.fire.luck"]]);
    assert.equal(isAskedFor(MOD, "fire")?.groups[0]?.clauses.length, 2);
    assert.equal(isAskedFor(MOD, "naval"), null);
    assert.equal(isAskedFor(MOD, " "), MOD);
});

test("a slider stops after each decision", () => {
    const events = ["phase", "action", "roll", "roll", "answer", "pass", "phase"].map((kind, at) => ({ number: at + 1, kind, text: [], depth: "full", rule: null, of: [] }) satisfies LoggedEvent);
    assert.deepEqual(decisionsIn(events), [1, 4, 5, 7]);
    assert.deepEqual(decisionsIn([]), []);
});

test("both courses of a game are what is now, and what is otherwise", () => {
    const seen = (entity: number, attributes: Record<string, never>) => ({ entity, kind: "demo.tank", label: `t${entity}`, attributes, hidden: [] });
    const match = { ...NO_MATCH, entities: new Map([[1, seen(1, { at: { point: [0, 0] }, hits: 2 } as never)], [2, seen(2, {})]]) };
    const difference: Difference = { decision: 3, text: null, before: [], after: [], at: 9, pieces: [{ entity: 1, kind: "demo.tank", label: "t1", before: { hits: 0 }, after: { hits: 2 } }, { entity: 3, kind: "demo.wreck", label: "w", before: { at: { point: [1, 1] } }, after: null }] };
    const before = courseOf(match, difference, "before");
    assert.deepEqual(before.entities.get(1)?.attributes, { at: { point: [0, 0] }, hits: 0 });
    assert.deepEqual([...before.entities.keys()], [1, 2, 3]);
    assert.deepEqual([...courseOf(match, difference, "after").entities.keys()], [1, 2]);
    assert.deepEqual(partedAttributes(difference.pieces[0] as never, {}), [{ name: "hits", before: 0, after: 2 }]);
    const about = { hits: { type: "integer", doc: "", default: 0, is_bookkeeping: true } };
    assert.deepEqual(partedAttributes(difference.pieces[0] as never, about), []);
});

test("the part of the map that is shown holds all that is otherwise", () => {
    const frame = frameOf([1_000_000, 800_000], null);
    const box = around([{ x: 20, y: 30 }, { x: 700, y: 300 }], frame);
    for (const spot of [{ x: 20, y: 30 }, { x: 700, y: 300 }]) assert.ok(spot.x >= box.x && spot.x <= box.x + box.w && spot.y >= box.y && spot.y <= box.y + box.h);
    assert.ok(box.x >= 0 && box.x + box.w <= 1000 && box.y >= 0 && box.y + box.h <= 800);
    assert.deepEqual(around([], frame), frame.bounds);
});

test("what a reload changed is told by titles, not by ids", () => {
    const same = { added: [], changed: [], removed: [] };
    const changes = { mods: [], files: [], rules: { ...same, changed: ["demo.fire.range"] }, rows: same, clauses: same, kinds: same, declared: { ...same, removed: ["reaction demo.fire.duck"] } };
    const aside = { count: 2, decision: 4, words: "Red reacts: Go down — red-1", reason: "demo.fire.duck: your side is not asked for a reaction" };
    const reloaded = { changes, difference: null, set_aside: aside, asked_again: null } as unknown as Reloaded;
    const catalogue = { actions: { "demo.fire.duck": "Go down" }, phases: {} } as unknown as Catalogue;
    assert.deepEqual(reloadLines(reloaded, catalogue), ["Rule changed: Fire · range", "Also removed: reaction “Go down”", "2 decisions set aside, from “Red reacts: Go down — red-1” on: “Go down”: your side is not asked for a reaction"]);
    const alone = { ...reloaded, set_aside: { ...aside, count: 1 } } as unknown as Reloaded;
    assert.equal(reloadLines(alone, catalogue).at(-1), "1 decision set aside, “Red reacts: Go down — red-1”: “Go down”: your side is not asked for a reaction");
});
