// Looking back, what happened otherwise, and what stands on the screen no
// longer than it holds; told by the test what to show.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PageAlone } from "./alone.ts";
import { assertAccessible, LEFT_OUT } from "./browser.ts";
import { act, event, Mock, Refuse, reloaded, tanks } from "./mock.ts";
import { entityChanges } from "../entities.ts";
import type { Change } from "../../src/protocol.ts";

const VIEW = { viewer: "blue", phases: [], turn: null, wanted: "act", decks: [], result: null, hash: "" };

/** The view of so many tanks, of which the test counts what the board shows. */
function viewOf(count: number): object {
    return { ...VIEW, entities: tanks(count, 10).map((one) => ({ handle: one.entity, kind: one.kind, label: one.label, attributes: one.attributes, hidden: [] })) };
}

/** The event of that number: every tenth is a decision. */
const kindOf = (number: number) => (number % 10 === 0 ? "action" : "demo.reported");

/** What somebody is told who comes after 600 events: the last 200. */
const LATE: Partial<Change> = { ...entityChanges(...tanks(10, 10)), ask: act(1), timeline: 0, events: Array.from({ length: 200 }, (_, at) => event(`step ${401 + at}`, { kind: kindOf(401 + at) })), last: 600 };

describe("looking back", { skip: LEFT_OUT }, () => {
    const alone = new PageAlone();
    const sitDown = alone.sitDown.bind(alone);

    /** A game of 600 events, of which whoever comes is told the last 200. */
    function late(): Mock {
        const mock = new Mock();
        mock.whole("blue", LATE);
        mock.replies.view = () => viewOf(3);
        mock.replies.news = ({ since, limit }) => {
            const numbers = Array.from({ length: Math.min(Number(limit), 600 - Number(since)) }, (_, at) => Number(since) + 1 + at);
            const events = numbers.map((number) => ({ number, kind: kindOf(number), text: [`step ${number}`], depth: "full", rule: null, fields: {}, hidden: [] }));
            return { timeline: 0, from: Number(since) + 1, events, last: 600, more: false };
        };
        return mock;
    }

    test("whoever came late steps back through all decisions, and seeks in all that has happened", async () => {
        const page = await sitDown(late());
        const slider = page.getByLabel("Look back through the game");
        await slider.waitFor();
        for (let step = 0; step < 24; step++) {
            const before = await slider.inputValue();
            await page.getByRole("button", { name: "One decision back" }).click();
            await page.waitForFunction((then) => document.querySelector<HTMLInputElement>(".past input")?.value !== then, before);
        }
        assert.equal(await slider.inputValue(), "369");
        assert.equal(await page.locator(".past .moment").innerText(), "step 369");
        await slider.fill("15");
        await page.getByText("step 15", { exact: true }).first().waitFor();
        await page.context().close();

        const mock = late();
        const other = await sitDown(mock);
        const found = other.locator(".log .line", { hasText: /^step 7$/ });
        await other.getByLabel("Search the log").fill("step 7");
        await found.waitFor();
        // As after a line that broke for long: all is told anew.
        mock.tell("blue", { ...LATE, whole: true, game: "g1", events: [event("step 799, told anew")], last: 600 });
        await other.getByText("step 799, told anew").waitFor();
        await found.waitFor();
        await other.getByLabel("Search the log").fill("step 701");
        await other.getByText("Nothing in the log has these words.").waitFor();
        await other.context().close();
    });

    /** Two lines, of which the first is open and the table of then is shown. */
    async function looking(): Promise<{ mock: Mock; page: Page }> {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(10, 10)), ask: act(1), timeline: 0, events: [event("it begins"), event("blue-1 hits red-2"), event("red-2 burns"), event("it ends")], last: 4 });
        mock.replies.view = () => viewOf(3);
        mock.replies.why = () => [{ depth: 0, text: "a good shot", source: "p. 7" }];
        const page = await sitDown(mock);
        await page.getByRole("button", { name: /blue-1 hits red-2/ }).click();
        await page.getByText("a good shot").waitFor();
        await page.getByRole("button", { name: "See the table then" }).click();
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 3);
        return { mock, page };
    }

    test("what happened otherwise has other reasons, and the moment that is looked at is shown as it is now", async () => {
        const { mock, page } = await looking();
        mock.replies.view = () => viewOf(4);
        mock.tell("blue", { timeline: 1, last: 4, events: [event("blue-1 misses red-2"), event("red-2 fires"), event("it ends")] });
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 4);
        assert.equal(await page.getByText("a good shot").count(), 0);
        mock.tell("blue", { timeline: 2, last: 1, events: [] });
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 10);
        assert.equal(await page.getByRole("button", { name: "Back to now" }).count(), 0);
        await page.context().close();
    });

    test("by other rules the same line has the reasons of these, and the moment its table", async () => {
        const { mock, page } = await looking();
        mock.replies.view = () => viewOf(4);
        mock.replies.why = () => [{ depth: 0, text: "a lucky shot", source: "p. 8" }];
        mock.notify("reloaded", reloaded());
        await page.getByText("a lucky shot").waitFor();
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 4);
        await page.context().close();
    });

    test("the link of another seat that is opened in the same window takes it", async () => {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(4, 10)), ask: act(1) });
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        await page.evaluate(() => (location.hash = "other"));
        await page.waitForFunction(() => location.hash === "");
        await page.waitForSelector(".piece");
        assert.deepEqual(mock.of("hello").map(({ token }) => token), ["token", "other"]);
        await page.context().close();
    });

    test("a pointer that the system takes, or that is let go of elsewhere, clicks and moves nothing", async () => {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(4, 10)), ask: act(1) });
        const page = await sitDown(mock);
        const piece = page.locator("[data-piece='1']");
        const at = { pointerId: 7, pointerType: "touch", button: 0, buttons: 1, bubbles: true };
        await piece.dispatchEvent("pointerdown", at);
        await piece.dispatchEvent("pointercancel", { ...at, buttons: 0 });
        assert.equal(await piece.getAttribute("aria-pressed"), "false");

        const box = await page.locator(".map").first().boundingBox();
        assert.ok(box);
        await page.mouse.move(box.x + box.width / 2, box.y + 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2, box.y - 2);
        await page.mouse.up();
        const seen = () => page.locator(".map").first().getAttribute("viewBox");
        const before = await seen();
        await page.mouse.move(box.x + box.width / 2, box.y + 200, { steps: 4 });
        await page.waitForTimeout(200);
        assert.equal(await seen(), before);
        await page.context().close();
    });

    test("how a game has ended is told with the titles of the sides, and all of it can be reached by keys", async () => {
        const mock = new Mock();
        const losses = Array.from({ length: 60 }, (_, n) => `tank ${n + 1}`).join(", ");
        const result = { record: { winner: "red", scores: { record: { blue: 3, red: 8 } }, losses: { record: { blue: losses, red: "none" } } } };
        mock.whole("blue", { ...entityChanges(...tanks(4, 10)), ask: { ask: 1, prompt: "over", result } });
        const page = await sitDown(mock, { viewport: { width: 1366, height: 480 } });
        await page.getByText("Blue brigade 3, Red raiders 8").waitFor();
        await assertAccessible(page, "a long result");
        await page.context().close();
    });

    test("who plays a side is shown as it is, and where players agree the referee takes nothing back", async () => {
        const mock = new Mock();
        mock.at = { seat: "referee" };
        mock.whole("referee", { ...entityChanges(...tanks(4, 10)), ask: { ask: 1, prompt: "wait" } });
        mock.replies.set_bot = () => new Refuse("somebody is in the middle of it");
        const page = await sitDown(mock);
        await page.getByRole("button", { name: "Rulings" }).click();
        assert.equal(await page.getByRole("button", { name: "Take back" }).count(), 0);
        const plays = page.locator(".plays", { hasText: "Red raiders" }).locator("select");
        await plays.selectOption("greedy");
        await page.getByText("somebody is in the middle of it").waitFor();
        await page.waitForFunction(() => [...document.querySelectorAll("select")].every(({ value }) => value === ""));
        const sides = mock.catalogue.sides.map((side) => (side.id === "red" ? { ...side, bot: "greedy" as const } : side));
        mock.replies.set_bot = () => {
            mock.catalogue = { ...mock.catalogue, sides };
            return true;
        };
        await plays.selectOption("greedy");
        await page.waitForFunction(() => [...document.querySelectorAll("select")].some(({ value }) => value === "greedy"));
        // Another referee gives the side to another bot, and then back to people.
        mock.tell("referee", { bots: { red: "random" } });
        await page.waitForFunction(() => [...document.querySelectorAll("select")].some(({ value }) => value === "random"));
        mock.tell("referee", { bots: {} });
        await page.waitForFunction(() => [...document.querySelectorAll("select")].every(({ value }) => value === ""));
        await page.context().close();
    });

    test("a match that cannot be taken up is told from a line that broke", async () => {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(4, 10)), ask: act(1) });
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        const told = page.getByRole("alert").filter({ hasText: "The game cannot be taken up just now" });
        await mock.drop(1011);
        await told.waitFor();
        await told.waitFor({ state: "detached" });
        await page.context().close();
    });

    test("the referee takes back what bots have decided alone", async () => {
        const mock = new Mock();
        mock.at = { seat: "referee" };
        mock.catalogue = { ...mock.catalogue, undo: "umpire" };
        mock.whole("referee", { ...entityChanges(...tanks(4, 10)), ask: { ask: 1, prompt: "wait" } });
        let decisions = 5;
        mock.replies.standing = () => ({ decisions, ask: 1, over: false, redoable: 0, waiting_for: [] });
        mock.replies.undo = ({ keep }) => (keep === undefined ? new Refuse("nobody has decided anything") : { undo: "done", decisions: keep, taken_back: 1, epoch: 1 });
        const page = await sitDown(mock);
        const back = page.getByRole("banner").getByRole("button", { name: "Take back" });
        await back.click();
        await page.waitForFunction(() => document.querySelectorAll(".toast").length === 0);
        decisions = 0;
        await back.click();
        await page.getByText("nobody has decided anything").waitFor();
        assert.deepEqual(mock.of("undo"), [{ by: "referee" }, { by: "referee", keep: 4 }, { by: "referee" }]);
        await page.context().close();
    });

    test("sides that are called as long as regiments leave the head of the page its buttons", async () => {
        const [blue, red] = ["1st Battalion, 42nd Guards Motor Rifle Regiment, reinforced", "Combined task force of the southern military district"];
        for (const viewport of [{ width: 1366, height: 850 }, { width: 900, height: 700 }, { width: 360, height: 740 }]) {
            const mock = new Mock();
            mock.catalogue = { ...mock.catalogue, title: `${blue} against the ${red.toLowerCase()}`, sides: [{ id: "blue", title: blue ?? "" }, { id: "red", title: red ?? "" }] };
            mock.whole("blue", { ...entityChanges(...tanks(4, 10)), turn: "red", ask: act(1) });
            const page = await sitDown(mock, { viewport });
            await page.waitForSelector(".piece");
            const title = await page.getByRole("heading", { level: 1 }).boundingBox();
            for (const name of ["Take back", "Help"]) {
                const box = await page.getByRole("banner").getByRole("button", { name }).boundingBox();
                assert.ok(box && title && box.x >= title.x + title.width && box.x + box.width <= viewport.width, `${name} at ${viewport.width}: ${JSON.stringify([title, box])}`);
            }
            const head = await page.getByRole("banner").boundingBox();
            assert.ok(head && head.height < 90, `a head of ${head?.height}`);
            await page.context().close();
        }
    });
});
