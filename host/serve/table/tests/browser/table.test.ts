// The table by itself, told by the test what to show.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PageAlone } from "./alone.ts";
import { assertAccessible, LEFT_OUT, picture } from "./browser.ts";
import { act, action, at, event, hexes, legal, Mock, next, NONE, Refuse, reloaded, tanks, WOOD } from "./mock.ts";
import { entityChanges, type Moved } from "../entities.ts";

const MOVE = { params: [{ name: "route", title: "Along which way?", type: "list(point)" }] };
const ROUTE = { domain: "route" as const, from: at(3, 4).point, legs: 4, candidates: [[at(6, 8).point]], checked: true };

const CLAUSE = { source: "p. 4", effect: "adds", on: true, core: false, requires: [] };
const RULES = [
    {
        id: "demo",
        title: "Demonstration rules",
        text: "A few rules to show.",
        on: true,
        groups: [{ id: "demo.fire", title: "Fire", text: "", clauses: [{ ...CLAUSE, id: "demo.fire.range", title: "Range", text: "Guns reach so far.", core: true }, { ...CLAUSE, id: "demo.fire.luck", title: "Luck", text: "A chit says what is hit." }] }],
        options: [{ id: "demo.fire.band", title: "Band of lasers", text: "How far they reach.", type: "close|medium|long", value: "medium", default: "medium", clause: null }],
    },
];

function viewOf(set: Moved[]): object {
    return { viewer: "blue", phases: [], turn: null, wanted: "act", decks: [], result: null, hash: "", entities: set.map((one) => ({ handle: one.entity, kind: one.kind, label: one.label, attributes: one.attributes, hidden: [] })) };
}

/** Goes on with Tab until a piece has the focus. */
async function tabToPiece(page: Page): Promise<void> {
    for (let step = 0; step < 60; step++) {
        if (await page.evaluate(() => document.activeElement?.matches(".piece"))) return;
        await page.keyboard.press("Tab");
    }
    assert.fail("no piece comes into focus");
}

/** Near by too the scale of a map of hexes is as long as it says. */
async function assertScale(page: Page): Promise<void> {
    for (let step = 0; step < 6; step++) await page.getByRole("button", { name: "Nearer" }).click();
    await page.waitForTimeout(300);
    const hex = await page.evaluate(() => {
        const map = document.querySelector<SVGSVGElement>("svg.map");
        return map ? (map.getBoundingClientRect().width / map.viewBox.baseVal.width) * 25.4 : 0;
    });
    const bar = await page.locator(".scale .bar").boundingBox();
    assert.equal(await page.locator(".scale .figure").innerText(), "1 hex");
    assert.ok(bar && Math.abs(bar.width - hex) < 2, `${bar?.width} pixels for a hex of ${hex}`);
    await page.getByRole("button", { name: "Whole map" }).click();
    await page.waitForTimeout(300);
}

describe("the table", { skip: LEFT_OUT }, () => {
    const alone = new PageAlone();
    const sitDown = alone.sitDown.bind(alone);

    function acting(): Mock {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(10, 10), WOOD), ask: act(1), timeline: 0, events: [event("it begins", { kind: "phase" }), event("blue-1 fires at red-2", { of: [1, 2] })], last: 2 });
        const refused = action("demo.fire", "Fire", 1, "blue-1", { refused: "it has fired already", clause: "demo.fire.once" });
        const actions = [action("demo.move", "Move", 1, "blue-1", MOVE), action("demo.move", "Move", 3, "blue-3", MOVE), refused];
        mock.replies.legal = ({ actor, allowed }) => legal(actions.filter((one) => (actor === undefined || (one.actor as { entity: number }).entity === actor) && !(allowed && one.refused)));
        mock.replies.next_param = ({ params }) => {
            const { route } = params as { route?: { point: [number, number] }[] };
            if (!route) return next("route", "Along which way?", ROUTE);
            return route.some(({ point: [x] }) => x > 40 * 25_400) ? new Refuse("it is too far", "demo.move.allowance") : null;
        };
        return mock;
    }

    test("who may act lights up, and the rest says why not with its clause", async () => {
        const page = await sitDown(acting());
        await page.waitForSelector(".piece.as-able");
        assert.equal(await page.locator(".piece.as-able").count(), 2);
        await page.locator("[aria-label^='blue-1,']").click();
        await page.getByText("What blue-1 cannot do").click();
        assert.match(await page.locator(".refused").innerText(), /Fire\s+it has fired already\s*fire · once/);
        await assertAccessible(page, "a piece is chosen");
        await page.context().close();
    });

    test("a dragged piece draws its way, which is judged as it is dragged", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        const box = await page.locator("[aria-label^='blue-1,'] .body").boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 700, y - 40, { steps: 8 });
        await page.waitForSelector(".verdict.is-bad");
        assert.match(await page.locator(".verdict").innerText(), /It is too far\s*move · allowance/);
        assert.ok(await page.getByRole("button", { name: /^Go there/ }).isDisabled());
        await page.mouse.move(x + 60, y - 40, { steps: 4 });
        await page.waitForSelector(".verdict.is-good");
        await page.mouse.up();
        await assertAccessible(page, "a way is drawn");
        await picture(page, "route");
        await page.getByRole("button", { name: /^Go there/ }).click();
        await page.waitForFunction(() => !document.querySelector(".acting"));
        const [sent] = mock.of("submit") as { ask: number; key: string; input: { params: { route: unknown[] } } }[];
        assert.equal(sent?.ask, 1);
        assert.match(sent?.key ?? "", /^[0-9a-f]{32}$/);
        assert.equal(sent?.input.params.route.length, 1);
        await page.context().close();
    });

    test("who asks for the chances sees them before he gives the last word", async () => {
        const mock = acting();
        mock.replies.next_param = () => null;
        mock.replies.odds = () => ({ outcomes: [{ outcome: "it is hit", odds: "127/288", decimal: "0.440972", range: null }], exact: true, how: "every way was counted", mean: null, questions: [] });
        const page = await sitDown(mock);
        await page.getByLabel("Show the chances first").check();
        await page.locator(".actors button").first().click();
        await page.getByText("44%").waitFor();
        assert.equal(mock.of("submit").length, 0);
        const [asked] = mock.of("odds") as { viewer: string; of: { input: { action: string } } }[];
        assert.deepEqual([asked?.viewer, asked?.of.input.action], ["blue", "demo.move"]);
        await assertAccessible(page, "chances");
        await picture(page, "chances");
        await page.locator(".confirm").click();
        await page.waitForFunction(() => !document.querySelector(".acting"));
        assert.equal(mock.of("submit").length, 1);
        await page.context().close();
    });

    test("who asks for chances that nobody may tell reads why", async () => {
        const mock = acting();
        mock.replies.next_param = () => null;
        const reason = "no odds can be told of that from what this side may know";
        mock.replies.odds = () => new Refuse(reason);
        const page = await sitDown(mock);
        await page.getByLabel("Show the chances first").check();
        await page.locator(".actors button").first().click();
        await page.getByText(`No chances to show: ${reason}`).waitFor();
        await assertAccessible(page, "no chances");
        await page.locator(".confirm").click();
        await page.waitForFunction(() => !document.querySelector(".acting"));
        await page.context().close();
    });

    test("by keys alone a piece is found, chosen and moved", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        await page.waitForSelector(".piece.as-able");
        await tabToPiece(page);
        await page.keyboard.press("Enter");
        await page.waitForSelector("section.chosen");
        await page.keyboard.press("ArrowRight");
        assert.match((await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))) ?? "", /^red-2/);
        await page.getByRole("button", { name: "Move" }).first().focus();
        await page.keyboard.press("Enter");
        await page.waitForSelector(".asked-route");
        assert.ok(await page.evaluate(() => document.activeElement?.closest(".asked") !== null), "what is asked has the focus");
        await tabToPiece(page);
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("ArrowUp");
        await page.waitForSelector(".verdict.is-good");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => !document.querySelector(".acting"));
        assert.equal(mock.of("submit").length, 1);
        await page.context().close();
    });

    test("who does not see the board is told what a piece is, where it is and on which ground, and what may be done with it", async () => {
        const page = await sitDown(acting());
        await page.waitForSelector(".piece.as-able");
        const cdp = await page.context().newCDPSession(page);
        const { nodes } = await cdp.send("Accessibility.getFullAXTree");
        const named = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => String(node.name?.value));
        const buttons = named("button");
        assert.ok(buttons.includes("blue-1, medium tank, Blue brigade, under fire, at (3.0, 4.0), facing north, may act"), buttons.join("\n"));
        await page.getByRole("button", { name: "Pieces" }).click();
        const ground = page.getByRole("region", { name: "Ground" });
        assert.match(await ground.innerText(), /the old wood\s+Light woods, from \(20\.0, 14\.0\) to \(34\.0, 26\.0\)/);
        await page.locator("[aria-label^='blue-1,']").click();
        await page.getByRole("list", { name: "Orders of blue-1" }).getByRole("button", { name: "Move" }).waitFor();
        await assertAccessible(page, "pieces and ground");
        await page.context().close();
    });

    test("on a phone a thumb that nearly touches a piece means it, and notices leave the orders free", async () => {
        const mock = acting();
        const page = await sitDown(mock, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
        await page.waitForSelector(".piece.as-able");
        const body = await page.locator("[aria-label^='blue-3,'] .body").boundingBox();
        assert.ok(body);
        await page.touchscreen.tap(body.x + body.width / 2, body.y + body.height / 2 + 21);
        await page.locator("section.chosen").getByRole("heading", { name: "blue-3" }).waitFor();
        // Whoever reads the log sees that it is for him to decide.
        await page.getByRole("button", { name: "Log" }).tap();
        const called = page.getByRole("button", { name: /^Orders\s*for you to decide$/ });
        assert.notEqual(await called.evaluate((tab) => getComputedStyle(tab.querySelector(".calls") as Element, "::after").display), "none");
        mock.tell("blue", { ask: { ask: 2, prompt: "wait" } });
        await called.waitFor({ state: "detached" });
        mock.tell("blue", { ask: act(3) });
        await called.tap();
        mock.notify("fault", { trouble: "broken" });
        const toast = await page.locator(".toast").boundingBox();
        const sheet = await page.locator(".sheet-orders").boundingBox();
        assert.ok(toast && sheet && toast.y + toast.height <= sheet.y, "a notice lies over the board");
        const small = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".room button, .room summary, .room .choice")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0).flatMap((one) => (Math.min(one.offsetHeight, one.offsetWidth) < 36 ? [`${one.textContent} ${one.offsetWidth}x${one.offsetHeight}`] : [])));
        assert.deepEqual(small, [], "too small for a thumb");
        await page.context().close();
    });

    test("what one may react to is named, and ways that read the same are suggested once", async () => {
        const mock = acting();
        const way = { ...ROUTE, candidates: [[at(6, 8).point], [at(5, 6).point, at(6, 8).point], [at(9, 8).point]] };
        mock.replies.next_param = () => next("route", "Along which way?", way);
        const page = await sitDown(mock);
        await page.locator(".actors button").first().click();
        await page.locator(".suggestions button").first().waitFor();
        assert.deepEqual(await page.locator(".suggestions button").allInnerTexts(), ["(6.0, 8.0), 5.0 in", "(9.0, 8.0), 7.2 in"]);
        mock.tell("blue", { ask: { ask: 2, prompt: "react", side: "blue", window: "w", title: "An enemy moves", text: "An enemy moves: red-2", about: { leg: 1, mover: { entity: 2, label: "red-2" } } } });
        await page.getByText("An enemy moves: red-2", { exact: true }).waitFor();
        await page.context().close();
    });

    test("an order of a group leaves the orders of all its pieces in sight", async () => {
        const mock = new Mock();
        const unit = { entity: 500, kind: "demo.unit", label: "first-troop", attributes: { title: "troop" } };
        const members = tanks(4, 4).map((one) => ({ ...one, attributes: { ...one.attributes, unit: { entity: 500 } } }));
        mock.whole("blue", { ...entityChanges(unit, ...members), ask: act(1) });
        const activate = [action("demo.activate", "Activate", 500, "first-troop")];
        const moves = [1, 3].map((entity) => action("demo.move", "Move", entity, `blue-${entity}`, MOVE));
        let isActive = false;
        mock.replies.next_param = () => null;
        mock.replies.legal = () => legal(isActive ? moves : activate);
        mock.replies.submit = () => {
            isActive = true;
            mock.tell("blue", { ask: act(2) });
            return { decision: 1, by: "blue", text: "", over: false };
        };
        const page = await sitDown(mock);
        await page.getByRole("button", { name: /Activate/ }).click();
        await page.getByRole("button", { name: "Move: blue-1" }).waitFor();
        await page.getByRole("button", { name: "Move: blue-3" }).waitFor();
        await page.context().close();
    });

    test("what was sent and not answered is sent again over a new line, with the same key", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        const keys: unknown[] = [];
        mock.replies.next_param = () => null;
        mock.replies.submit = ({ key }) => {
            keys.push(key);
            if (keys.length === 1) void mock.drop();
            return { decision: 1, by: "blue", text: "", over: false };
        };
        await page.locator(".actors button").first().click();
        await page.getByRole("button", { name: "Move" }).last().click({ timeout: 1500 }).catch(() => {});
        await page.waitForFunction(() => !document.querySelector(".acting"));
        await page.waitForFunction(() => !document.querySelector(".who .line"));
        assert.ok(keys.length >= 1 && new Set(keys).size === 1, keys.join(" "));
        assert.equal((mock.of("follow").at(-1)?.have as { game: string }).game, "g1");
        await page.context().close();
    });

    test("what is decided while a server is taken up again is decided on the same prompt, and on no other", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        const anew = async (game: string, ask: object) => {
            mock.game = game;
            mock.whole("blue", { ...entityChanges(...tanks(10, 10)), ask: ask as never });
            const greeted = mock.of("hello").length;
            await page.getByRole("button", { name: "Done" }).waitFor();
            mock.replies.hello = () => undefined;
            await mock.drop();
            while (mock.of("hello").length === greeted) await page.waitForTimeout(20);
            await page.getByRole("button", { name: "Done" }).click();
            delete mock.replies.hello;
            await mock.drop();
        };
        mock.tell("blue", { ask: act(7) });
        await anew("g2", act(1));
        await page.waitForFunction(() => !document.querySelector(".who .line"));
        while (mock.of("submit").length < 1) await page.waitForTimeout(20);
        assert.equal(mock.of("submit").at(-1)?.ask, 1, "the server counts anew");
        await anew("g3", { ...act(1), phase: "demo.fire" });
        while (mock.of("submit").length < 2) await page.waitForTimeout(20);
        assert.equal(mock.of("submit").at(-1)?.ask, 0, "another phase has the same number");
        await page.context().close();
    });

    test("a ruling is not said twice when the line breaks", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        mock.replies.undo = () => void mock.drop();
        await page.waitForSelector(".piece");
        await page.getByRole("button", { name: "Take back" }).click();
        await page.getByText("Play cannot be taken back").waitFor();
        await page.waitForFunction(() => !document.querySelector(".who .line"));
        assert.equal(mock.of("hello").length, 2);
        assert.equal(mock.of("undo").length, 1);
        await page.context().close();
    });

    test("several, a number and a place are asked and answered", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        const question = (id: string, domain: object) => ({ id, text: `${id}?`, secret: id === "Which", about: [], asked: [{ side: "blue", domain }] });
        const ask = (number: number, id: string, domain: object) => mock.tell("blue", { ask: { ask: number, prompt: "answer", question: question(id, domain) } as never });
        const answer = () => (mock.of("submit").at(-1) as { input: { value: unknown } }).input.value;
        const sent = async (count: number) => {
            while (mock.of("submit").length < count) await page.waitForTimeout(20);
        };
        await page.waitForSelector(".piece");
        const choices = [2, 4, 6].map((entity) => ({ value: { entity, label: `red-${entity}` }, label: `red-${entity}: long, d8` }));
        ask(2, "Which", { domain: "several", choices, min: 1, max: 2 });
        await page.getByText("Your answer is secret.").waitFor();
        assert.ok(await page.getByRole("button", { name: "These" }).isDisabled(), "none is not enough");
        assert.equal(await page.locator(".piece.as-target").count(), 3);
        await page.locator("[aria-label^='red-4,']").click();
        await page.getByRole("checkbox", { name: "red-2" }).check();
        assert.ok(await page.getByRole("checkbox", { name: "red-6" }).isDisabled());
        await assertAccessible(page, "several");
        await page.getByRole("button", { name: "These" }).click();
        await sent(1);
        assert.deepEqual(answer(), [choices[1]?.value, choices[0]?.value]);
        ask(3, "How many", { domain: "integer", min: 2, max: 9 });
        await page.getByRole("spinbutton").fill("7");
        await page.getByRole("button", { name: "Take 7" }).click();
        await sent(2);
        assert.equal(answer(), 7);
        ask(4, "Where", { domain: "place", regions: [{ disc: { centre: at(20, 20).point, radius: 100_000 } }], candidates: [at(20, 22).point], checked: false });
        await page.locator(".candidate .dot").click();
        await page.getByRole("button", { name: "This place" }).click();
        await sent(3);
        assert.deepEqual(answer(), at(20, 22));
        await page.context().close();
    });

    test("the screen is handed over when one seat holds both sides, and shows nothing in between", async () => {
        const mock = new Mock();
        mock.at = { seat: "sides", sides: ["blue", "red"] };
        mock.whole("blue", { ...entityChanges(...tanks(4, 4)), ask: act(1) });
        mock.whole("red", { ...entityChanges(...tanks(2, 4)) });
        const page = await sitDown(mock);
        // Nobody has said yet who looks: not at first, and not after the page was loaded anew.
        await page.getByRole("button", { name: "I am Blue brigade" }).waitFor();
        assert.equal(await page.locator(".piece").count(), 0);
        await page.getByRole("button", { name: "I am Blue brigade" }).click();
        await page.waitForSelector(".piece");
        // Of what blue looks for, measures and is refused nothing is left.
        await page.getByLabel("Search the log").fill("ambush");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Measure" }).click();
        const map = await page.locator("svg.map").boundingBox();
        assert.ok(map);
        for (const part of [0.3, 0.6]) await page.mouse.click(map.x + map.width * part, map.y + map.height * part);
        await page.locator(".tape").waitFor();
        mock.replies.view = () => new Refuse("the ambush of blue is not shown");
        mock.tell("blue", { events: [event("it begins"), event("blue-1 hides", { kind: "action" }), event("blue-1 waits")], last: 3, timeline: 0 });
        await page.getByRole("button", { name: "One decision back" }).click();
        await page.getByText("the ambush of blue is not shown").waitFor();
        mock.tell("red", { ask: { ask: 2, prompt: "answer", question: { id: "q", text: "Stand or fall back?", secret: false, about: [], asked: [{ side: "red", domain: { domain: "choices", choices: [{ value: "stand", label: "stand" }] } }] } } });
        mock.tell("blue", { ask: { ask: 2, prompt: "wait" } });
        await page.getByText("Hand the screen to Red raiders").waitFor();
        assert.equal(await page.locator(".piece").count(), 0);
        await assertAccessible(page, "handing over");
        await page.getByRole("button", { name: "I am Red raiders" }).click();
        await page.getByRole("heading", { name: "Stand or fall back?" }).waitFor();
        assert.equal(await page.locator(".orders > [role=status]").textContent(), "You are asked: Stand or fall back?");
        assert.equal(await page.locator(".piece").count(), 2);
        assert.equal(await page.locator(".tape").count(), 0, "what blue measured");
        assert.equal(await page.getByLabel("Search the log").inputValue(), "", "what blue looked for");
        assert.equal(await page.getByText(/ambush|hides/).count(), 0, "what blue was told");
        // What blue has asked to take back is answered by red, at the same screen.
        mock.tell("red", { wish: { number: 3, by: "blue", decisions: 0, waiting_for: ["red"], what: [], more: 0 } });
        await page.getByRole("button", { name: "Decline" }).click();
        assert.deepEqual(mock.of("decline_undo").at(-1), { by: "red", number: 3 });
        await page.context().close();
    });

    test("taking back is offered and agreed to", async () => {
        const mock = acting();
        mock.replies.undo = () => ({ undo: "done", decisions: 3, taken_back: 1, epoch: 1 });
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        const what = ["Red: Move — red-2", "blue answers: no", "Red: Fire — red-2", "Red: Fire — red-4", "Red: Done"];
        mock.tell("blue", { wish: { number: 7, by: "red", decisions: 3, waiting_for: ["blue"], what, more: 2 } });
        const proposal = page.getByRole("region", { name: "Taking back" });
        await proposal.getByText("Red raiders asks to take back:").waitFor();
        assert.deepEqual(await proposal.getByRole("listitem").allInnerTexts(), what.slice(0, 4));
        await proposal.getByText("and 3 decisions more").waitFor();
        await assertAccessible(page, "asked to take play back");
        await picture(page, "proposal");
        await proposal.getByRole("button", { name: "Agree" }).click();
        assert.deepEqual(mock.of("undo").at(-1), { by: "blue", number: 7 });
        mock.tell("blue", { wish: null, timeline: 1, last: 1 });
        await page.getByText("Play was taken back").waitFor();
        assert.equal(await page.locator(".log ol > li").count(), 1);
        await page.context().close();
    });

    test("taking back is declined, and withdrawn by whoever asked; how it ended is told", async () => {
        const mock = acting();
        mock.replies.decline_undo = () => true;
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        const proposal = page.getByRole("region", { name: "Taking back" });
        mock.tell("blue", { wish: { number: 1, by: "red", decisions: 3, waiting_for: ["blue"], what: ["Red: Move — red-2"], more: 0 } });
        await proposal.getByRole("button", { name: "Decline" }).click();
        assert.deepEqual(mock.of("decline_undo").at(-1), { by: "blue", number: 1 });
        mock.tell("blue", { wish: null, wish_ended: { outcome: "declined", by: "blue" } });
        await proposal.waitFor({ state: "detached" });
        mock.tell("blue", { wish: { number: 2, by: "blue", decisions: 3, waiting_for: ["red"], what: [], more: 0 } });
        await proposal.getByText("You have asked to take back what follows. Red raiders must agree.").waitFor();
        await proposal.getByText("What was decided in secret.").waitFor();
        assert.equal(await proposal.getByRole("button", { name: /Agree|Decline/ }).count(), 0);
        await proposal.getByRole("button", { name: "Withdraw" }).click();
        assert.deepEqual(mock.of("decline_undo").at(-1), { by: "blue", number: 2 });
        mock.tell("blue", { wish: null, wish_ended: { outcome: "withdrawn", by: "blue" } });
        await proposal.waitFor({ state: "detached" });
        mock.tell("blue", { wish: { number: 3, by: "blue", decisions: 3, waiting_for: ["red"], what: [], more: 0 } });
        mock.tell("blue", { wish: null, wish_ended: { outcome: "declined", by: "red" } });
        await page.getByText("Red raiders declines to take play back").waitFor();
        mock.tell("blue", { wish: { number: 4, by: "blue", decisions: 3, waiting_for: ["red"], what: [], more: 0 } });
        mock.tell("blue", { wish: null, wish_ended: { outcome: "lapsed" } });
        await page.getByText("The game has gone on: nothing is taken back").waitFor();
        await page.context().close();
    });

    test("what stands beside choices is what the rules say that hold by now", async () => {
        const mock = acting();
        let chance = "0.25";
        mock.replies.next_param = ({ params }) => ((params as { target?: unknown }).target ? null : next("target", "At whom?", { domain: "choices", choices: [2, 4].map((entity) => ({ value: { entity, label: `red-${entity}` }, label: `red-${entity}` })) }));
        mock.replies.outlook = () => ({ summary: null, notes: [], warnings: [], odds: { outcomes: [{ outcome: "hit", odds: "", decimal: chance, range: null }], exact: true, how: "", mean: null, questions: [] } });
        const page = await sitDown(mock);
        await page.locator(".actors button").first().click();
        await page.getByText("hit 25%").nth(1).waitFor();
        chance = "0.75";
        mock.notify("reloaded", reloaded({ rules: { ...NONE, changed: ["demo.fire.odds"] } }));
        await page.getByText("hit 75%").nth(1).waitFor();
        assert.equal(await page.getByText("hit 25%").count(), 0);
        await page.context().close();
    });

    test("rules that change are told in a toast, and broken ones with file and line", async () => {
        const mock = acting();
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        mock.notify("reloaded", { ...reloaded({ mods: ["demo"], rules: { ...NONE, changed: ["demo.fire.odds"] } }), difference: { decision: 4, before: [], after: [], at: 1, pieces: [] } });
        await page.getByText("The rules have changed").waitFor();
        assert.match(await page.locator(".toast").innerText(), /Rule changed: Fire · odds[\s\S]*decision 4/);
        mock.notify("fault", { trouble: "faults", undone: 0, faults: [{ code: "F021", slug: "unknown-rule", message: "no rule named `demo.fire.ods`", module: "demo", file: "rules/fire.luau", line: 7, column: 3, rule: "demo.fire.hit", clause: "house.fire.luck", caller: "demo.fire.shoot", hint: "did you mean `demo.fire.odds`?" }] });
        await page.getByText("rules/fire.luau:7:3").waitFor();
        await page.getByText("In rule demo.fire.hit, for house.fire.luck, called by demo.fire.shoot").waitFor();
        await page.getByText("What met it was not done: the game is as it was.").waitFor();
        await assertAccessible(page, "a fault");
        await picture(page, "fault");
        await page.context().close();
    });

    test("clauses and options are switched by the referee, each with its sentence", async () => {
        const mock = acting();
        mock.at = { seat: "referee" };
        mock.whole("referee", entityChanges(...tanks(4, 4)));
        mock.replies.rules = () => RULES;
        mock.replies.choose = () => reloaded({ clauses: { added: [], changed: [], removed: ["demo.fire.luck"] } });
        const page = await sitDown(mock);
        await page.getByRole("button", { name: "Rules" }).click();
        await page.getByText("Fire 2 of 2 in force").click();
        await page.getByText("A chit says what is hit.").waitFor();
        assert.ok(await page.getByRole("checkbox", { name: /^Range/ }).isDisabled(), "what the rules make no sense without stays");
        await page.getByRole("checkbox", { name: "Luck" }).uncheck();
        await page.getByText("Options").click();
        await page.getByLabel("Band of lasers").selectOption("long");
        await assertAccessible(page, "rules");
        await picture(page, "rules");
        assert.equal(mock.of("choose").length, 0, "nothing changes before it is said");
        await page.getByText("2 changes.").waitFor();
        await page.getByRole("button", { name: "From now on" }).click();
        await page.getByText("The rules have changed").waitFor();
        assert.deepEqual(mock.of("choose"), [{ on: [], off: ["demo.fire.luck"], options: { "demo.fire.band": "long" }, past: "from_now" }]);
        await page.waitForFunction(() => !document.querySelector(".apply"));
        mock.replies.choose = () => new Refuse("the clause is core");
        await page.getByRole("checkbox", { name: "Luck" }).uncheck();
        await page.getByRole("button", { name: "As if always" }).click();
        await page.getByText("The rules stay as they are").waitFor();
        await page.getByLabel("Search the rules").fill("chit");
        assert.equal(await page.locator(".mod li").count(), 1);
        await page.context().close();
    });

    test("players read the rules and do not switch them", async () => {
        const mock = acting();
        mock.replies.rules = () => RULES;
        const page = await sitDown(mock);
        await page.getByRole("button", { name: "Rules" }).click();
        await page.getByText("Fire 2 of 2 in force").click();
        assert.ok(await page.getByRole("checkbox", { name: "Luck" }).isDisabled());
        await page.context().close();
    });

    test("both versions of the game are shown side by side", async () => {
        const mock = acting();
        mock.replies.view = () => viewOf(tanks(4, 4));
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        const pieces = [{ entity: 2, kind: "demo.element", label: "red-2", before: { status: "fit" }, after: { status: "knocked_out" } }, { entity: 4, kind: "demo.element", label: "red-4", before: null, after: { at: at(9, 9) } }];
        mock.notify("reloaded", { ...reloaded({}), difference: { decision: 4, text: "fire", before: ["red-2 is missed"], after: ["red-2 is knocked out"], at: 2, pieces } });
        await page.getByRole("button", { name: "Show both" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("The game takes another course at decision 4").waitFor();
        assert.deepEqual(mock.of("view").at(-1), { viewer: "blue", at: 2 });
        const [before, now] = [dialog.getByRole("region", { name: "By the rules before" }), dialog.getByRole("region", { name: "By the rules now" })];
        await before.getByText("Red-2 is missed").waitFor();
        await now.getByText("Red-2 is knocked out").waitFor();
        assert.deepEqual([await before.locator(".piece").count(), await now.locator(".piece").count()], [3, 4]);
        assert.deepEqual([await before.locator(".wreck").count(), await now.locator(".wreck").count()], [0, 1]);
        assert.match(await dialog.getByRole("table").innerText(), /red-2: status\s+fit\s+knocked out[\s\S]*red-4\s+not there\s+there/);
        await assertAccessible(page, "both versions");
        await picture(page, "versions");
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !document.querySelector("dialog"));
        await page.context().close();
    });

    test("the referee keeps the game as a test, and plays on beside it", async () => {
        const mock = acting();
        mock.at = { seat: "referee" };
        mock.whole("referee", { ...entityChanges(...tanks(4, 4)), timeline: 0, events: [event("blue-1 fires at red-2"), event("it goes on", { kind: "action" })], last: 2 });
        mock.replies.view = () => viewOf(tanks(3, 4));
        mock.replies.as_case = ({ id }) => ({ path: `tests/${id as string}.luau`, text: "local test = 1\n", shows: "it goes on", changes: 3, cites: ["demo.fire.hit"] });
        mock.replies.as_test = ({ id }) => ({ path: `scenarios/${id as string}.ron`, text: "Scenario(\n)\n", decisions: 12 });
        mock.replies.branch = () => ({ room: "what-if-1", token: "f00d", decisions: 5 });
        const page = await sitDown(mock);
        await page.getByRole("button", { name: "Rulings" }).click();
        await page.getByLabel("Name of the file").fill("Two Words");
        assert.ok(await page.getByRole("button", { name: "Keep", exact: true }).isDisabled());
        await page.getByLabel("Name of the file").fill("late-shot");
        assert.ok(await page.getByLabel("This moment: blue-1 fires at red-2").isChecked());
        await page.getByRole("button", { name: "Keep", exact: true }).click();
        await page.getByText("Kept with the scenario and 3 changes. It fails without 1 clause of the rules. Put it into your mod as tests/late-shot.luau").waitFor();
        assert.deepEqual(mock.of("as_case"), [{ id: "late-shot", event: 1 }]);
        await page.getByLabel("The whole game so far").check();
        await page.getByRole("button", { name: "Keep", exact: true }).click();
        await page.getByText("12 decisions kept. Put it into your mod as scenarios/late-shot.ron").waitFor();
        const saved = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save the file" }).click();
        assert.equal((await saved).suggestedFilename(), "late-shot.ron");
        await page.getByRole("button", { name: "One decision back" }).click();
        await page.getByRole("button", { name: "Play on from the moment shown" }).click();
        const link = page.getByRole("link", { name: "From decision 5 on" });
        assert.equal(await link.getAttribute("href"), `${alone.url}?room=what-if-1#f00d`);
        assert.deepEqual(mock.of("branch"), [{ at: 1 }]);
        await assertAccessible(page, "rulings");
        await picture(page, "rulings");
        await page.context().close();
    });

    test("a line of the log tells why, and the slider shows the table as it was", async () => {
        const mock = acting();
        mock.replies.why = () => [{ depth: 0, text: "demo.fire.shoot", source: "book 4.2" }, { depth: 1, text: "range: 7.0 in", source: "" }];
        mock.replies.view = () => viewOf(tanks(3, 10));
        const page = await sitDown(mock);
        await page.getByRole("button", { name: /blue-1 fires at red-2/ }).click();
        await page.getByText("book 4.2").waitFor();
        assert.equal(await page.locator(".piece.lit").count(), 2);
        await assertAccessible(page, "a why-tree");
        await page.getByLabel("Look back through the game").fill("1");
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 3);
        assert.deepEqual(mock.of("view").at(-1), { viewer: "blue", at: 1 });
        assert.equal(await page.locator(".piece.as-able").count(), 0);
        await page.getByRole("button", { name: "Back to now" }).click();
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 10);
        await page.getByLabel("Search the log").fill("fires");
        assert.equal(await page.locator(".log ol > li").count(), 1);
        await page.context().close();
    });

    test("a map of hexes shows heights, ground and stacks", async () => {
        for (const colorScheme of ["light", "dark"] as const) {
            const mock = new Mock();
            const { catalogue, set } = hexes();
            mock.catalogue = catalogue;
            mock.whole("blue", entityChanges(...set));
            const page = await sitDown(mock, { colorScheme });
            await page.waitForSelector(".piece");
            assert.ok((await page.locator(".ground .height").count()) > 30);
            const [a, b] = await Promise.all([1, 2].map((id) => page.locator(`[data-piece='${id}'] .body`).boundingBox()));
            assert.ok(a && b && Math.abs(a.x - b.x) > 3, "those on one hex lie beside each other");
            await assertAccessible(page, `hexes, ${colorScheme}`);
            await assertScale(page);
            await picture(page, `hexes-${colorScheme}`);
            await page.context().close();
        }
    });

    test("among many hexes one is sought by its name, or pointed at", async () => {
        const mock = new Mock();
        const { catalogue, set } = hexes();
        const choices = Array.from({ length: 40 }, (_, n) => ({ value: { hex: [4 + (n % 8), 6 + Math.floor(n / 8)] as [number, number] }, label: `h${n}` }));
        mock.catalogue = catalogue;
        mock.whole("blue", { ...entityChanges(...set), ask: act(1) });
        mock.replies.legal = () => legal([action("demo.move", "Move", 1, "m1", { params: [{ name: "to", title: "Where to?", type: "hex" }] })]);
        mock.replies.next_param = ({ params }) => ((params as { to?: unknown }).to ? null : next("to", "Where to?", { domain: "choices", choices }));
        const page = await sitDown(mock);
        const sent = async (count: number) => {
            while (mock.of("submit").length < count) await page.waitForTimeout(20);
            return (mock.of("submit").at(-1) as { input: { params: object } }).input.params;
        };
        await page.getByRole("button", { name: "Move" }).first().click();
        await page.getByText("Point on the board, or choose here.").waitFor();
        assert.equal(((await page.locator(".region").getAttribute("d")) ?? "").split("Z").length - 1, 40, "all are marked");
        await page.keyboard.type("h3");
        assert.equal(await page.locator(".choices button").count(), 11, "what is asked has the focus, and letters seek");
        await assertAccessible(page, "many choices");
        await page.getByRole("button", { name: "H31" }).focus();
        assert.equal(await page.locator(".spot").count(), 1, "where it lies is shown");
        await page.locator(".find").fill("h37");
        await page.locator(".find").press("Enter");
        assert.deepEqual(await sent(1), { to: choices[37]?.value });
        await page.context().close();
    });

    test("on a phone no keyboard comes up before somebody wants to type", async () => {
        const mock = acting();
        const choices = Array.from({ length: 30 }, (_, n) => ({ value: n, label: `battery ${n}` }));
        mock.replies.next_param = () => next("battery", "Which?", { domain: "choices", choices });
        const page = await sitDown(mock, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
        await page.locator(".actors button").first().tap();
        await page.locator(".find").waitFor();
        assert.equal(await page.evaluate(() => document.activeElement?.matches("input") ?? false), false);
        await page.context().close();
    });

    test("a game that ends without a result says so", async () => {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(4, 4)), ask: { ask: 2, prompt: "over", result: null } });
        const page = await sitDown(mock);
        await page.getByText("These rules name no winner.").waitFor();
        await page.context().close();
    });

    test("the tape measures, from piece to piece", async () => {
        const page = await sitDown(acting());
        await page.waitForSelector(".piece");
        await page.keyboard.press("m");
        await page.locator("[aria-label^='blue-1,']").click();
        await page.locator("[aria-label^='blue-3,']").click();
        assert.equal(await page.locator(".measured .tag text").textContent(), "13.2 in");
        await page.context().close();
    });

    test("no name on the map covers another", async () => {
        const mock = new Mock();
        mock.whole("blue", entityChanges(...tanks(120), WOOD));
        const page = await sitDown(mock, { viewport: { width: 900, height: 700 } });
        await page.waitForSelector(".names text");
        const covered = await page.evaluate(() => {
            const boxes = [...document.querySelectorAll(".names text, .place-names text")].map((text) => [text.textContent, text.getBoundingClientRect()] as const);
            return boxes.flatMap(([a, one], at) => boxes.slice(at + 1).filter(([, two]) => one.left < two.right - 2 && two.left < one.right - 2 && one.top < two.bottom - 3 && two.top < one.bottom - 3).map(([b]) => `${a} and ${b}`));
        });
        assert.deepEqual(covered, []);
        await page.context().close();
    });

    test("two hundred units are panned without being drawn anew", async () => {
        const mock = new Mock();
        mock.whole("blue", entityChanges(...tanks(200), WOOD));
        const page = await sitDown(mock);
        await page.waitForSelector(".piece");
        await picture(page, "two-hundred");
        const changes = await page.evaluate(() => {
            const seen: string[] = [];
            const pieces = document.querySelector(".pieces");
            new MutationObserver((records) => records.forEach((record) => seen.push(`${record.type} ${record.attributeName}`))).observe(pieces as Node, { subtree: true, childList: true, attributes: true });
            (window as unknown as { seen: string[] }).seen = seen;
            const frames: number[] = [];
            let last = performance.now();
            const tick = (now: number) => {
                frames.push(now - last);
                last = now;
                requestAnimationFrame(tick);
            };
            requestAnimationFrame(tick);
            (window as unknown as { frames: number[] }).frames = frames;
            return seen.length;
        });
        assert.equal(changes, 0);
        await page.mouse.move(30, 700);
        await page.mouse.down();
        for (let step = 0; step < 60; step++) await page.mouse.move(30 + step * 6, 700 - step * 4);
        await page.mouse.up();
        const { seen, frames } = await page.evaluate(() => {
            const { seen, frames } = window as unknown as { seen: string[]; frames: number[] };
            return { seen, frames };
        });
        const sorted = frames.slice(5).sort((a, b) => a - b);
        const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
        console.log(`panning 200 units: ${median.toFixed(1)} ms a frame, 95% within ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)} ms`);
        assert.deepEqual(seen, []);
        assert.ok(median < 100, `${median} ms a frame`);
        await page.context().close();
    });

    test("a link without a seat says so", async () => {
        const page = await alone.open();
        await page.goto(alone.url);
        await page.getByText("This link opens no seat.").waitFor();
        await assertAccessible(page, "no seat");
        await page.context().close();
    });
});

