import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalogue, Change, LoggedEvent } from "../../src/protocol.ts";
import { entityChanges } from "../entities.ts";
import { changed, fitOf, isAsked, NO_MATCH, numberNow, phasesInWords, sidesAsked, valueOf, withEarlier } from "../../src/pure/match.ts";

const event = (number: number): LoggedEvent => ({ number, kind: "reported", depth: "full", text: [`event ${number}`], rule: null, of: [] });
const change = (seq: number, rest: Partial<Change> = {}): Change => ({ seq, ...rest });
const upTo = (last: number, count: number): Partial<Change> => ({ last, events: Array.from({ length: count }, (_, at) => ({ kind: "reported", text: [`event ${last - count + 1 + at}`] })) });

const CATALOGUE: Catalogue = {
    title: "", text: "", selector: "", sides: [], table: [1, 1], metric: false, hexes: null, secrets: false, undo: "umpire", phases: {}, actions: {},
    kinds: { "duel.man": { title: "man", role: "piece", at: "at", attributes: { wounds: { type: "integer", doc: "", default: 0 }, mood: { type: "calm|angry", doc: "", default: "calm" } } } },
};

const WHOLE = change(1, {
    whole: true,
    viewer: "blue",
    game: "g1",
    ...entityChanges({ entity: 1, kind: "duel.man", label: "rufus", attributes: { wounds: 2 }, hidden: [] }, { entity: 2, kind: "duel.man", label: "bruno", attributes: {}, hidden: ["mood"] }),
    phases: { opened: ["game", "turn"] },
    turn: "blue",
    timeline: 0,
    ...upTo(3, 3),
});

test("a snapshot forgets everything before it", () => {
    const before = changed(NO_MATCH, WHOLE);
    const after = changed(before, change(9, { whole: true, game: "g1", ...entityChanges({ entity: 5, kind: "duel.man", label: "anna" }), ...upTo(8, 2) }));
    assert.deepEqual([...after.entities.keys()], [5]);
    assert.deepEqual(after.events.map((one) => one.number), [7, 8]);
    assert.equal(after.turn, null);
    assert.equal(after.seq, 9);
});

test("what is not told is as it was, and who did not change is the same object", () => {
    const before = changed(NO_MATCH, WHOLE);
    const after = changed(before, change(2, entityChanges({ entity: 1, attributes: { wounds: 3 } })));
    assert.deepEqual(after.entities.get(1)?.attributes, { wounds: 3 });
    assert.equal(after.entities.get(1)?.label, "rufus");
    assert.equal(after.entities.get(2), before.entities.get(2));
    assert.equal(after.phases, before.phases);
    assert.equal(after.events, before.events);
});

test("null is told, and is not the same as not told", () => {
    const before = changed(NO_MATCH, { ...WHOLE, wish: { number: 1, by: "red", decisions: 2, waiting_for: ["blue"], what: [], more: 0 } });
    assert.equal(changed(before, change(2)).turn, "blue");
    assert.equal(changed(before, change(2, { turn: null })).turn, null);
    assert.equal(changed(before, change(2, { wish: null })).proposal, null);
    assert.equal(changed(before, change(2)).proposal?.by, "red");
});

test("attributes stand at the default of their kind until they are told, but not if they are hidden", () => {
    const match = changed(NO_MATCH, WHOLE);
    const [rufus, bruno] = [match.entities.get(1), match.entities.get(2)];
    assert.ok(rufus && bruno);
    assert.equal(valueOf(CATALOGUE, rufus, "wounds"), 2);
    assert.equal(valueOf(CATALOGUE, rufus, "mood"), "calm");
    assert.equal(valueOf(CATALOGUE, bruno, "mood"), undefined);
    const hidden = changed(match, change(2, entityChanges({ entity: 1, hidden: ["wounds"] }))).entities.get(1);
    assert.ok(hidden);
    assert.equal(valueOf(CATALOGUE, hidden, "wounds"), undefined);
});

test("what is gone is gone, and comes back as new", () => {
    const gone = changed(changed(NO_MATCH, WHOLE), change(2, { gone: [1] }));
    assert.equal(gone.entities.has(1), false);
    const back = changed(gone, change(3, entityChanges({ entity: 1, kind: "duel.man", label: "rufus", attributes: {} })));
    assert.deepEqual(back.entities.get(1)?.attributes, {});
});

test("events that were taken back are replaced from there on", () => {
    const before = changed(NO_MATCH, WHOLE);
    const after = changed(before, change(2, { ...upTo(4, 2), timeline: 1 }));
    assert.deepEqual(after.events.map((one) => one.number), [1, 2, 3, 4]);
    assert.equal(after.timeline, 1);
    const shorter = changed(before, change(2, { last: 1, timeline: 1 }));
    assert.deepEqual(shorter.events.map((one) => one.number), [1]);
});

test("earlier events come before those that are known, each once", () => {
    const late = changed(NO_MATCH, change(1, { whole: true, ...upTo(6, 2) }));
    assert.deepEqual(withEarlier(late, [event(3), event(4), event(5)]).events.map((one) => one.number), [3, 4, 5, 6]);
});

test("a change is taken once and in order; a gap is seen", () => {
    const match = changed(NO_MATCH, WHOLE);
    assert.equal(fitOf(match, change(2)), "next");
    assert.equal(fitOf(match, change(1)), "old");
    assert.equal(fitOf(match, change(3)), "gap");
    assert.equal(fitOf(match, { ...change(2), game: "g2" }), "gap");
    assert.equal(fitOf(match, change(40, { whole: true })), "next");
});

test("phases close from within, and others open, with the round that it is", () => {
    const match = changed(NO_MATCH, WHOLE);
    const game = { id: "game", round: null };
    assert.deepEqual(changed(match, change(2, { phases: { closed: 1, opened: ["end"] } })).phases, [game, { id: "end", round: null }]);
    assert.deepEqual(changed(match, change(2, { phases: { closed: 1, opened: ["turn", "fire"], rounds: { turn: 2 } } })).phases, [game, { id: "turn", round: 2 }, { id: "fire", round: null }]);
    assert.deepEqual(changed(match, change(2, { phases: { closed: 2 } })).phases, []);
});

test("the turn stands before the innermost phase, with how many there are to be", () => {
    const catalogue = { ...CATALOGUE, turns: 5, phases: { game: "Battle", turns: "Turns", turn: "Turn", fire: "Fire", volley: "Volley", silent: "" } };
    const open = (...ids: (string | [string, number])[]) => ids.map((id) => (typeof id === "string" ? { id, round: null } : { id: id[0], round: id[1] }));
    assert.deepEqual(phasesInWords(open("game", "turns", ["turn", 3], "fire", "volley"), catalogue), ["Turn 3 of 5", "Volley"]);
    assert.deepEqual(phasesInWords(open("game", "turns", ["turn", 6]), catalogue), ["Turn 6"], "a turn more than was said is told as it is");
    assert.deepEqual(phasesInWords(open("game", "turns", ["turn", 1], "silent"), { ...catalogue, turns: null }), ["Turn 1"]);
    assert.deepEqual(phasesInWords(open("game", "turn", "fire"), catalogue), ["Turn", "Fire"], "of no round none is said");
    assert.deepEqual(phasesInWords([], catalogue), []);
});

test("a prompt that is asked again has another number, and is the same else", () => {
    const asked = changed(changed(NO_MATCH, WHOLE), change(2, { ask: { ask: 4, prompt: "act", sides: ["blue"], phase: "p", title: "P" } }));
    assert.deepEqual(changed(asked, change(3, { ask: { ask: 5 } })).ask, { ask: 5, prompt: "act", sides: ["blue"], phase: "p", title: "P" });
});

test("values name others by what they were called last, those that are gone too", () => {
    const match = changed(changed(NO_MATCH, WHOLE), change(2, { gone: [2], ...entityChanges({ entity: 1, attributes: { foes: [{ entity: 2 }, { entity: 9 }, { entity: null, label: "?" }] } }) }));
    assert.deepEqual(match.entities.get(1)?.attributes.foes, [{ entity: 2, label: "bruno" }, { entity: 9, label: "#9" }, { entity: null, label: "?" }]);
});

test("a line of the log has the number that its place gives it", () => {
    const match = changed(NO_MATCH, change(1, { whole: true, last: 12, events: [{ kind: "action" }, { kind: "reported", text: ["a shot"], depth: "volley", rule: "m.fire", of: [3] }] }));
    assert.deepEqual(match.events, [{ number: 11, kind: "action", text: [], depth: "full", rule: null, of: [] }, { number: 12, kind: "reported", text: ["a shot"], depth: "volley", rule: "m.fire", of: [3] }]);
});

test("who is asked is told from who waits", () => {
    assert.equal(isAsked({ ask: 1, prompt: "wait" }), false);
    assert.deepEqual(sidesAsked({ ask: 1, prompt: "act", sides: ["blue"], phase: "p", title: "" }), ["blue"]);
    assert.deepEqual(sidesAsked({ ask: 1, prompt: "react", side: "red", window: "w", title: "a shot", text: "a shot", about: {} }), ["red"]);
    assert.deepEqual(sidesAsked({ ask: 1, prompt: "over", result: null }), []);
});

test("what was decided on is decided on in a match that was taken up again, and nothing else", () => {
    const asked = (game: string, ask: number, title: string) => changed(NO_MATCH, { ...WHOLE, game, ask: { ask, prompt: "react", side: "blue", window: "w", title, text: title, about: {} } });
    const then = asked("g1", 7, "a shot");
    assert.equal(numberNow(then, asked("g1", 8, "a move")), 7, "the same server sees by the number that it is too late");
    assert.equal(numberNow(then, asked("g2", 1, "a shot")), 1, "another counts anew");
    assert.equal(numberNow(then, asked("g2", 7, "a move")), 0, "what has the same number is something else");
});
