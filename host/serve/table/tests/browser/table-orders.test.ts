// What stands in the orders, told by the test: that it is true, that it can be
// seen, and that nothing of it stays when it is over.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PageAlone } from "./alone.ts";
import { assertAccessible, LEFT_OUT, picture } from "./browser.ts";
import { act, action, at, CATALOGUE, event, legal, Mock, next, Refuse, tanks } from "./mock.ts";
import { entityChanges } from "../entities.ts";
import type { Action, Change, Domain } from "../../src/protocol.ts";

const OVER: Partial<Change> = { ask: { ask: 9, prompt: "wait" } };

function places(checked: boolean): Domain {
    return { domain: "place", regions: [{ disc: { centre: at(20, 20).point, radius: 100_000 } }, { rectangle: { min: at(50, 10).point, max: at(60, 20).point } }], candidates: [at(20, 22).point], checked };
}

describe("the orders", { skip: LEFT_OUT }, () => {
    const alone = new PageAlone();
    let page: Page;

    afterEach(() => page?.context().close());

    /** Blue may do this, and has seen so much happen. */
    async function allowed(actions: Action[], change: Partial<Change> = {}, catalogue = CATALOGUE): Promise<Mock> {
        const mock = new Mock();
        mock.catalogue = catalogue;
        mock.whole("blue", { ...entityChanges(...tanks(10, 10)), ask: act(1), ...change });
        mock.replies.legal = ({ actor }) => legal(actions.filter((one) => actor === undefined || (one.actor as { entity: number } | null)?.entity === actor));
        page = await alone.sitDown(mock);
        await page.waitForSelector(".piece");
        return mock;
    }

    function asked(mock: Mock, domain: Domain): void {
        mock.tell("blue", { ask: { ask: 2, prompt: "answer", question: { id: "where", text: "Where does it stand?", secret: false, about: [], asked: [{ side: "blue", domain }] } } });
    }

    async function point(x: number, y: number): Promise<void> {
        const box = await page.locator(".cloth").boundingBox();
        assert.ok(box);
        await page.mouse.click(box.x + (box.width * x) / 72, box.y + (box.height * (48 - y)) / 48);
    }

    test("what is pointed at in a list is lit no longer than it stands there", async () => {
        const moves = [1, 3].map((entity) => action("demo.move", "Move", entity, `blue-${entity}`));
        const mock = await allowed(moves);
        await page.getByRole("button", { name: "Move: blue-3" }).hover();
        await page.waitForSelector("[data-piece='3'].lit");
        mock.tell("blue", OVER);
        await page.getByRole("heading", { name: "Waiting for Red raiders" }).waitFor();
        assert.equal(await page.locator(".piece.lit").count(), 0);
        asked(mock, { domain: "choices", choices: [2, 4].map((entity) => ({ value: { entity, label: `red-${entity}` }, label: `red-${entity}` })) });
        await page.locator(".choices").getByRole("button", { name: "red-4" }).hover();
        await page.waitForSelector("[data-piece='4'].lit");
        mock.tell("blue", { ask: { ask: 10, prompt: "wait" } });
        await page.getByRole("heading", { name: "Waiting for Red raiders" }).waitFor();
        assert.equal(await page.locator(".piece.lit").count(), 0);
    });

    test("of an answer no more is said than is known before it is given", async () => {
        const mock = await allowed([]);
        asked(mock, places(true));
        const give = page.getByRole("button", { name: "This place" });
        await page.getByLabel("across").waitFor();
        assert.deepEqual([await page.getByLabel("across").inputValue(), await page.getByLabel("along").inputValue()], ["20.0", "22.0"], "the figures begin with what is suggested");
        await point(40, 40);
        await page.getByText("That point is outside the region to choose from").waitFor();
        assert.ok(await give.isDisabled());
        await point(55, 15);
        await page.getByText("The rules have the last word").waitFor();
        assert.ok(await give.isEnabled());
        await assertAccessible(page, "a place that a rule judges");
        mock.tell("blue", OVER);
        mock.tell("blue", { ask: { ask: 11, prompt: "answer", question: { id: "where", text: "Where else?", secret: false, about: [], asked: [{ side: "blue", domain: places(false) }] } } });
        await page.getByRole("heading", { name: "Where else?" }).waitFor();
        await point(20, 20);
        await page.getByText("The rules allow it.").waitFor();
    });

    test("what is told of a way goes with the way", async () => {
        const move = action("demo.move", "Move", 1, "blue-1", { params: [{ name: "route", title: "Along which way?", type: "list(point)" }] });
        const mock = await allowed([move]);
        const route: Domain = { domain: "route", from: at(3, 4).point, legs: 1, candidates: [], checked: true };
        mock.replies.next_param = ({ params }) => {
            const drawn = (params as { route?: { point: [number, number] }[] }).route?.[0]?.point;
            if (!drawn) return next("route", "Along which way?", route);
            return drawn[0] > 30 * 25_400 ? new Refuse("it is too far") : null;
        };
        mock.replies.outlook = () => ({ notes: ["takes 6 of 12 points"], odds: null, warnings: [] });
        const told = page.getByText("takes 6 of 12 points");
        await page.getByRole("button", { name: "Move blue-1" }).click();
        await page.getByLabel("across").waitFor();
        await point(10, 10);
        await told.waitFor();
        await point(50, 10);
        await page.getByText("It is too far").waitFor();
        assert.equal(await told.count(), 0, "of a way that is too far nothing is told");
        await point(10, 10);
        await told.waitFor();
        mock.replies.submit = () => {
            asked(mock, { domain: "choices", choices: [{ value: "stand", label: "stand" }, { value: "fall", label: "fall back" }] });
            return { decision: 1, by: "blue", text: "", over: false };
        };
        await page.getByRole("button", { name: /^Go there/ }).click();
        await page.getByRole("button", { name: "Fall back" }).waitFor();
        assert.equal(await told.count(), 0, "a question after it has nothing of it");
    });

    test("the log stays at its end while what is asked above it takes room and gives it back", async () => {
        const events = Array.from({ length: 60 }, (_, n) => event(`something happens for the time ${n + 1}`));
        const mock = await allowed([], { events, last: 60, timeline: 0 });
        const isAtEnd = () => page.waitForFunction(() => {
            const lines = document.querySelector(".log .lines");
            return lines !== null && lines.scrollHeight - lines.scrollTop - lines.clientHeight < 2;
        });
        await isAtEnd();
        const before = await page.locator(".log .lines").evaluate((lines) => lines.clientHeight);
        asked(mock, places(true));
        await page.waitForFunction((before) => (document.querySelector(".log .lines")?.clientHeight ?? before) < before, before);
        await isAtEnd();
        mock.tell("blue", { ...OVER, events: [event("one more thing happens")], last: 61 });
        await isAtEnd();
    });

    test("the log follows what happens in a long game too, unless somebody reads further up", async () => {
        const events = Array.from({ length: 200 }, (_, n) => event(`something happens for the time ${n + 1}`));
        const mock = await allowed([], { events, last: 200, timeline: 0 });
        const lines = page.locator(".log .lines");
        const fromEnd = () => lines.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
        for (let last = 210; last <= 400; last += 10) {
            mock.tell("blue", { events: Array.from({ length: 10 }, (_, n) => event(`and this is number ${last - 9 + n}`)), last });
            await page.getByText(`and this is number ${last}`, { exact: true }).waitFor();
            assert.ok((await fromEnd()) < 40, `at number ${last}`);
        }
        await lines.evaluate((list) => list.scrollTo(0, 400));
        await page.waitForTimeout(100);
        mock.tell("blue", { events: [event("nobody is torn away by this")], last: 401 });
        await page.getByText("nobody is torn away by this").waitFor({ state: "attached" });
        assert.ok((await fromEnd()) > 400);
    });

    test("units that are not on the board say what they are", async () => {
        const unit = (entity: number, label: string, title: string) => ({ entity, kind: "demo.unit", label, attributes: { title, side: "blue" } });
        const vehicle = (entity: number, of: number) => ({ entity, kind: "demo.element", label: `blue-${entity}`, attributes: { side: "blue", unit: { entity: of, label: "" } } });
        const deploy = [50, 51].map((entity) => action("demo.deploy", "Deploy", entity, entity === 50 ? "blue-a" : "blue-b"));
        await allowed(deploy, entityChanges(...tanks(2, 2), unit(50, "blue-a", "tank troop"), unit(51, "blue-b", "rifle platoon"), unit(52, "sheet-1", "sheet of orders"), vehicle(60, 50), vehicle(61, 51)));
        await page.getByRole("button", { name: "Deploy: blue-b rifle platoon" }).waitFor();
        assert.match(await page.locator(".orders").innerText(), /Choose an order below\./, "nothing that may act is on the board");
        await page.getByRole("button", { name: "Pieces" }).click();
        assert.match(await page.locator(".piece-list").innerText(), /Not on the board\s+blue-a\s+Tank troop\s+blue-b\s+Rifle platoon/);
        assert.equal(await page.getByText("sheet-1").count(), 0, "what has no pieces is no unit");
        await assertAccessible(page, "before the units are placed");
        await picture(page, "off-board");
    });

    test("by keys one goes from what is suggested to the button that gives it, and stays in the orders", async () => {
        const mock = await allowed([]);
        asked(mock, places(false));
        await page.getByRole("button", { name: "(20.0, 22.0)" }).focus();
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.activeElement?.textContent === "This place");
        mock.replies.submit = () => {
            mock.tell("blue", { ask: act(3) });
            return { decision: 1, by: "blue", text: "", over: false };
        };
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Done" }).waitFor();
        await page.waitForFunction(() => document.activeElement?.id === "orders");
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Done");
    });

    test("the way on stays in sight below a long list of orders", async () => {
        const many = Array.from({ length: 14 }, (_, n) => action(`demo.order_${n}`, `Give order number ${n + 1}`, 1, "blue-1"));
        await allowed(many);
        const done = await page.getByRole("button", { name: "Done" }).boundingBox();
        const sheet = await page.locator(".sheet-orders").boundingBox();
        assert.ok(done && sheet && done.y + done.height <= sheet.y + sheet.height, "it is in the sheet");
    });

    test("who looks on is told whose go it is, and not who must decide", async () => {
        const mock = new Mock();
        mock.at = { seat: "spectator" };
        mock.whole("spectator", { ...entityChanges(...tanks(2, 2)), turn: "blue" });
        page = await alone.sitDown(mock);
        await page.getByRole("heading", { name: "Blue brigade to play" }).waitFor();
        assert.equal(await page.getByText(/Waiting for/).count(), 0);
        mock.tell("spectator", { turn: null });
        await page.getByRole("heading", { name: "Waiting for the players" }).waitFor();
    });

    test("a side whose title says nothing of its name in the log bears both", async () => {
        const sides = [{ id: "blue", title: "Defenders" }, { id: "red", title: "The red attackers" }];
        const mock = await allowed([], {}, { ...CATALOGUE, sides });
        assert.match(await page.locator(".me").innerText(), /Defenders \(blue\)/);
        mock.tell("blue", OVER);
        await page.getByRole("heading", { name: "Waiting for The red attackers", exact: true }).waitFor();
    });

    test("whoever goes aboard is called by name in the orders, and whoever is gone is chosen no longer", async () => {
        const refused = action("demo.move", "Move", 1, "blue-1", { refused: "it is aboard" });
        const mock = await allowed([refused]);
        await page.locator("[data-piece='1']").click();
        await page.getByText("What blue-1 cannot do").waitFor();
        mock.tell("blue", { set: { "1": { at: null } } });
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 9);
        assert.equal(await page.getByText("blue-1 can do nothing now.").count(), 1);
        mock.tell("blue", { gone: [1] });
        await page.getByText("can do nothing now.").waitFor({ state: "detached" });
    });

    test("pieces stand in the list as people count, whatever was told of first", async () => {
        const labels = ["b-10", "b-2", "b-1"];
        const pieces = tanks(6, 10).filter(({ attributes }) => attributes?.side === "blue").map((one, at) => ({ ...one, label: labels[at] ?? "" }));
        await allowed([], entityChanges(...pieces));
        await page.getByRole("button", { name: "Pieces" }).click();
        assert.deepEqual(await page.locator(".piece-list .row .name").allInnerTexts(), ["b-1", "b-2", "b-10"]);
    });
});
