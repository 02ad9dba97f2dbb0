import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action, LoggedEvent } from "../../src/protocol.ts";
import { backTo, begun, actionsOf, entitiesOf, isHopeless, lastChosen, numberedAmongEquals, onlyChoice, paramsOf, reasonFor, toggled, withGiven } from "../../src/pure/acting.ts";
import { attribute, compass, entitiesIn, hexName, isState, length, list, percent, plain, point, resultText, sentence, words } from "../../src/pure/format.ts";
import { lookOf } from "../../src/pure/ground.ts";
import { overlaps, placed, widthOf, type LabelRequest } from "../../src/pure/labels.ts";
import { citation, linesOf, named, spoken } from "../../src/pure/log.ts";
import { huesOf, signOf } from "../../src/pure/symbols.ts";

test("lengths are told in the unit of the game", () => {
    assert.equal(length(25.4 * 6, "in"), "6.0 in");
    assert.equal(length(125, "cm"), "12.5 cm");
    assert.equal(length(25.4 * 3, "hex"), "3 hexes");
    assert.equal(length(25.4, "hex"), "1 hex");
    assert.equal(point([25_400, 508_000], "in"), "(1.0, 20.0)");
    assert.equal(hexName([5, 1]), "0503");
});

test("values are told without the terms of the engine", () => {
    assert.equal(plain({ length: 152_400 }, "in"), "6.0 in");
    assert.equal(plain({ entity: 7, label: "red-a-1" }, "in"), "red-a-1");
    assert.equal(plain({ direction: 10_800 }, "in"), "south");
    assert.equal(plain({ die: 8, shifts: [] }, "in"), "d8");
    assert.equal(plain("knocked_out", "in"), "knocked out");
    assert.equal(plain([], "in"), "none");
    assert.equal(plain([{ entity: 1, label: "a" }, { entity: 2, label: "b" }], "in"), "a, b");
    assert.equal(plain({ record: { type: "HKP", class: 3, guidance: "none", module: null } }, "in"), "HKP, class 3");
    assert.equal(compass(1800), "north-east (30°)");
    assert.equal(words("dsii.unit.is_under_fire"), "under fire");
    assert.equal(attribute("is_under_fire", true, "in"), "under fire");
    assert.equal(list(["a", "b", "c"]), "a, b and c");
    assert.deepEqual(["0.440972", "0.002", "0.9999", "1.000000", "0.000000"].map(percent), ["44%", "under 1%", "over 99%", "100%", "0%"]);
});

test("a result names sides by their titles", () => {
    const titles = new Map([["a", "Defenders"], ["b", "2nd U.S. Cavalry"]]);
    assert.equal(resultText("a", titles, "in"), "Defenders");
    assert.equal(resultText(["b", "a"], titles, "in"), "2nd U.S. Cavalry, Defenders");
    assert.equal(resultText({ record: { a: 3, b: "knocked_out" } }, titles, "in"), "Defenders 3, 2nd U.S. Cavalry knocked out");
    assert.equal(resultText({ record: { a: 3, turns: 4 } }, titles, "in"), "a 3, turns 4");
    assert.equal(resultText(null, titles, "in"), "none");
});

test("every entity in a value is found", () => {
    assert.deepEqual(entitiesIn({ record: { from: { entity: 1, label: "a" }, to: [{ entity: 2, label: "b" }, 3] } }), [1, 2]);
    assert.deepEqual(entitiesIn({ point: [1, 2] }), []);
});

test("enums and truth values are states, numbers and texts are not", () => {
    const of = (type: string) => isState({ type, doc: "", default: null });
    assert.ok(of("bool") && of("fit|damaged|knocked_out"));
    assert.ok(!of("text") && !of("integer 0..3") && !of("entity(dsii.unit)?"));
});

test("ground and pieces look as they are called, whatever the game", () => {
    assert.equal(lookOf("light woods"), "woods");
    assert.equal(lookOf("dense woods"), "dense-woods");
    assert.equal(lookOf("slow_go"), "rough");
    assert.equal(lookOf("crest"), "crest");
    assert.deepEqual(["ridge", "stone bridge"].map(lookOf), ["hill", "road"]);
    assert.match(lookOf("ectoplasm"), /^other-\d$/);
    assert.equal(lookOf("ectoplasm"), lookOf("Ectoplasm"));
    assert.equal(signOf(["medium tank"]), "armour");
    assert.equal(signOf([null, "", "rifle team"]), "infantry");
    assert.equal(signOf(["wizard", "battery"]), "guns");
    assert.equal(signOf(["mortar carrier"]), "mortar");
    assert.equal(signOf(["personnel carrier"]), "mechanised");
    assert.equal(signOf(["hiding place"]), "unknown");
    assert.equal(signOf(["lair"]), "none", "there is no air in it");
    assert.equal(signOf(["aircraft"]), "air");
    assert.equal(signOf(["wizard"]), "none");
});

test("sides have the colours of their names, and no two the same", () => {
    const side = (id: string, title = id) => ({ id, title });
    assert.deepEqual([...huesOf([side("red"), side("blue")])], [["red", "red"], ["blue", "blue"]]);
    const hues = huesOf([side("a"), side("b", "Red garrison"), side("c")]);
    assert.equal(hues.get("b"), "red");
    assert.equal(new Set(hues.values()).size, 3);
    assert.equal(huesOf([side("a", "Armoured column"), side("b", "Red guards"), side("green_1", "Evergreen")]).get("b"), "red");
});

const request = (id: string, x: number, y: number, rank = 0): LabelRequest => ({ id, text: `piece ${id}`, at: { x, y }, size: 20, font: 10, rank });

test("no name covers another or a piece, and the important ones are written", () => {
    const requests = Array.from({ length: 200 }, (_, at) => request(String(at), (at % 20) * 26, Math.floor(at / 20) * 26, at === 77 ? 5 : 0));
    const pieces = requests.map(({ at }) => ({ x: at.x - 10, y: at.y - 10, w: 20, h: 20 }));
    const labels = placed(requests, pieces.filter((_, at) => at !== 77));
    const rects = labels.map((label) => ({ x: label.x - widthOf(label.text, 10) / 2, y: label.y - 5.5, w: widthOf(label.text, 10), h: 11 }));
    rects.forEach((a, at) => rects.slice(at + 1).forEach((b) => assert.ok(!overlaps(a, b))));
    for (const [at, rect] of rects.entries()) for (const [id, piece] of pieces.entries()) assert.ok(id === 77 || !overlaps(rect, piece), `${labels[at]?.text} on piece ${id}`);
    assert.ok(placed([request("a", 0, 0), request("b", 0, 0, 1)], []).length === 2);
    assert.deepEqual(placed([request("a", 0, 0, 1)], [], { x: -5, y: -5, w: 10, h: 10 }), []);
});

const logged = (number: number, text: string, depth: LoggedEvent["depth"] = "full"): LoggedEvent => ({ number, kind: "reported", text: text ? [text] : [], of: [number], rule: "dsii.fire.shoot_gun", depth });

test("the log is cut by depth, and searched by words and rules", () => {
    const events = [logged(1, "a story", "story"), logged(2, "a volley", "volley"), logged(3, "a die", "full"), logged(4, "")];
    assert.deepEqual(linesOf(events, "story", "").map((line) => line.event), [1]);
    assert.deepEqual(linesOf(events, "volley", "").map((line) => line.event), [1, 2]);
    assert.deepEqual(linesOf(events, "full", "DIE").map((line) => line.event), [3]);
    assert.equal(linesOf(events, "full", "shoot gun").length, 3);
    assert.deepEqual(linesOf(events, "full", "")[0]?.entities, [1]);
    const chits = [{ ...logged(5, "  ?, from the markers"), kind: "chits" }];
    assert.equal(linesOf(chits, "full", "chits")[0]?.text, "Chits: ?, from the markers");
    assert.equal(citation("dsii.fire.shoot_gun"), "fire · shoot gun");
    assert.deepEqual(["dsii.fire.shoot_gun", "roll: d8=5", "red-a-1", "2.5"].map(named), ["Fire · shoot gun", "roll: d8=5", "red-a-1", "2.5"]);
    assert.deepEqual(["dsii.fire.shoot_gun", "by dsii.fire.shoot_gun", "in rules.luau, 2.5 in"].map(spoken), ["Fire · shoot gun", "by “fire · shoot gun”", "in rules.luau, 2.5 in"]);
});

const ACTION: Action = { id: "dsii.fire.declare", title: "Fire", actor: { entity: 16, label: "blue-a-1" }, refused: null, params: [{ name: "weapon", title: "", type: "integer" }] };

test("parameters are given in order, and one can go back", () => {
    const domain = { domain: "choices" as const, choices: [{ value: 1, label: "HKP/3" }] };
    const first = { ...begun(ACTION, "blue", false), next: { name: "weapon", title: "With which?", domain } };
    assert.deepEqual(onlyChoice(domain), { value: 1, label: "HKP/3" });
    const second = { ...withGiven(first, 1, "HKP/3", true), next: { name: "target", title: "At whom?", domain } };
    const third = withGiven(second, { entity: 7, label: "red-a-1" }, "red-a-1");
    assert.deepEqual(paramsOf(third.given), { weapon: 1, target: { entity: 7, label: "red-a-1" } });
    assert.equal(lastChosen(third.given), 1);
    assert.deepEqual(paramsOf(backTo(third, 1).given), { weapon: 1 });
    assert.equal(lastChosen(second.given), -1);
    assert.equal(withGiven({ ...third, next: "asking" }, 5, "5").given.length, 2);
});

test("a list takes what is chosen up to its most, and one of one changes", () => {
    assert.deepEqual(toggled([], "a", 2), ["a"]);
    assert.deepEqual(toggled(["a", "b"], "a", 2), ["b"]);
    assert.deepEqual(toggled(["a", "b"], "c", 2), ["a", "b"]);
    assert.deepEqual(toggled(["a"], "c", 1), ["c"]);
    // Two equal cards of a hand are two.
    assert.deepEqual(toggled(["a"], "a", 3, false), ["a", "a"]);
    assert.deepEqual(toggled(["a", "b", "a"], "a", 3, true), ["b", "a"]);
    const hand = ["a", "b", "a"].map((value) => ({ value, label: value }));
    assert.deepEqual(numberedAmongEquals(hand).map(({ nth }) => nth), [0, 0, 1]);
    assert.ok(isHopeless({ domain: "choices", choices: [] }));
    assert.deepEqual(entitiesOf({ domain: "several", choices: [{ value: { entity: 4, label: "" }, label: "" }, { value: 3, label: "" }], min: 0, max: 1 }), [4]);
    assert.deepEqual(actionsOf([ACTION, { ...ACTION, actor: null }], [16]), [ACTION]);
});

test("a reason is told without the name of the parameter, and with every other", () => {
    const acting = begun({ id: "m", title: "Move", actor: null, refused: null, params: [{ name: "route", title: "Along which way?", type: "list(point)" }] }, "blue", false);
    assert.equal(reasonFor(acting, "`route`: red-2 stands there"), "red-2 stands there");
    assert.equal(reasonFor(acting, "`target`: it is gone"), "`target`: it is gone");
    assert.equal(reasonFor(null, "`route`: red-2 stands there"), "`route`: red-2 stands there");
});

test("a sentence begins with a capital, but for what a piece is called", () => {
    assert.equal(sentence("it is too far"), "It is too far");
    assert.deepEqual(["red-line-1 would be left behind", "m1 has fired", "blue-a, which fired"].map(sentence), ["red-line-1 would be left behind", "m1 has fired", "blue-a, which fired"]);
});
