import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalogue, KindAbout } from "../../src/protocol.ts";
import { asksForCards, deckInWords, handInWords, handsOf } from "../../src/pure/cards.ts";
import { changed, NO_MATCH } from "../../src/pure/match.ts";
import { entityChanges } from "../entities.ts";

const about = (type: string, fallback: null | number | string[] = null) => ({ type, doc: "", default: fallback });
const PLAYER: KindAbout = {
    title: "player",
    role: "none",
    attributes: { side: about("text"), hand: about("list(text)", []), held: about("integer 0..24", 0), played: about("text?"), leads: about("bool"), notes: about("list(text)", []) },
};
const CATALOGUE = { sides: [{ id: "ann", title: "Ann" }, { id: "ben", title: "Ben" }], kinds: { "demo.player": PLAYER, "deal.hand": { title: "hand", role: "none", attributes: { side: about("text"), cards: about("list(text)", []) } } } } as unknown as Catalogue;
const PACK = { deck: "demo.deal.pack", of: null, stock: { size: 3, cards: null }, discard: { size: 2, cards: ["9D", "KC"] } };

const told = (decks: object[]) =>
    changed(NO_MATCH, {
        seq: 1,
        whole: true,
        game: "g1",
        decks: decks as never,
        ...entityChanges(
            { entity: 2, kind: "demo.player", label: "ben-1", attributes: { side: "ben", held: 4, played: "QS" }, hidden: ["hand"] },
            { entity: 1, kind: "demo.player", label: "ann-1", attributes: { side: "ann", hand: ["9D", "9D", "AS"], held: 3, leads: true }, hidden: [] },
            { entity: 3, kind: "deal.hand", label: "ben-2", attributes: { side: "ben" }, hidden: ["cards"] },
        ),
    });

test("one's own hand is known by its cards, others' by how many there are", () => {
    const [ann, ben, other] = handsOf(told([PACK]), CATALOGUE, "in");
    assert.deepEqual([ann?.side, ann?.cards, ann?.count, ann?.facts], ["ann", ["9D", "9D", "AS"], 3, ["leads"]]);
    assert.deepEqual([ben?.side, ben?.cards, ben?.count, ben?.facts], ["ben", null, 4, ["played: QS"]]);
    assert.deepEqual([other?.cards, other?.count], [null, null]);
    assert.deepEqual([ben, other].map((hand) => hand && handInWords(hand)), ["4 cards", "hidden cards"]);
});

test("where there is no deck a list of texts is no hand", () => {
    assert.deepEqual(handsOf(told([]), CATALOGUE, "in"), []);
});

test("a deck tells as much as its viewer may know", () => {
    assert.equal(deckInWords(PACK), "Pack: 3 to draw and 2 laid down, 9D on top");
    assert.equal(deckInWords({ ...PACK, discard: { size: 0, cards: [] } }), "Pack: 3 to draw");
    assert.equal(deckInWords({ ...PACK, stock: { size: null, cards: null }, discard: { size: null, cards: null } }), "Pack: nobody knows how many");
});

test("only what is a text may be a card", () => {
    assert.deepEqual(["text", "list(text)", "text?", "entity(demo.player)", "list(point)", undefined].map(asksForCards), [true, true, true, false, false, false]);
});
