// A battle with hidden orders: what reaches a browser holds nothing that its
// side may not know, and while the other side orders in secret nothing at all.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import type { Change } from "../../src/protocol.ts";
import { serve, type Served } from "./server.ts";

type Message = { method?: string; params?: Change };

/** All that a page was sent. */
class Received {
    readonly frames: string[] = [];

    constructor(page: Page) {
        page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => this.frames.push(String(payload))));
    }

    changes(): Change[] {
        return this.frames.map((frame) => JSON.parse(frame) as Message).flatMap(({ method, params }) => (method === "change" && params ? [params] : []));
    }

    labels(): Set<string> {
        return new Set(this.changes().flatMap((change) => Object.values(change.called ?? {})).map(({ label }) => label));
    }
}

describe("a battle with hidden orders", { skip: LEFT_OUT }, () => {
    let browser: Browser;
    let served: Served;

    before(async () => {
        browser = await openBrowser();
        served = await serve("crossroads", "--seed", "1999", "--turns", "1", "--pause", "0");
    });
    after(async () => {
        await browser?.close();
        served?.stop();
        assertQuiet();
    });

    test("no frame holds what its seat may not know", { timeout: 540_000 }, async () => {
        const pages: Page[] = [];
        const received: Received[] = [];
        for (const seat of ["blue", "red", "referee"]) {
            const page = await openPage(browser, null);
            received.push(new Received(page));
            await page.goto(served.links[seat] ?? "");
            await page.waitForSelector(".piece");
            pages.push(page);
        }
        const [blue, red, referee] = pages as [Page, Page, Page];
        const [, toRed, toReferee] = received as [Received, Received, Received];

        const [before, seen] = [toRed.frames.length, toReferee.frames.length];
        for (const order of [/^Charge/i, /^Advance/i]) await giveOrder(blue, order);
        await referee.waitForFunction(() => document.querySelectorAll(".log .decided").length >= 2);
        assert.ok(toReferee.frames.length > seen, "the referee is told");
        assert.deepEqual(toRed.frames.slice(before), [], "red is told nothing, not even that something was decided");
        await assertAccessible(blue, "secret orders");
        await picture(blue, "orders");

        await referee.getByRole("button", { name: "Rulings" }).click();
        for (const side of ["Blue", "Red"]) await referee.locator(".plays", { hasText: side }).locator("select").selectOption("greedy");
        await referee.getByText("The game is over").waitFor({ timeout: 400_000 });
        await red.getByText("The game is over").waitFor({ timeout: 60_000 });
        await picture(red, "battle-over");

        for (const [at, side] of ["blue", "red"].entries()) {
            const mine = received[at] as Received;
            assertSent(mine, side);
            const unknown = [...toReferee.labels()].filter((label) => !mine.labels().has(label) && !/^#/.test(label));
            const leaked = unknown.filter((label) => mine.frames.some((frame) => new RegExp(`\\b${label}\\b`).test(frame)));
            console.log(`${side}: ${mine.frames.length} frames, ${unknown.length} names that it never learnt`);
            assert.deepEqual(leaked, [], `names that ${side} may not know`);
        }
    });
});

/** Gives the first unit that has none an order. */
async function giveOrder(page: Page, order: RegExp): Promise<void> {
    const given = await page.locator(".log .decided").count();
    await page.keyboard.press("Escape");
    const units = page.locator(".actions .actors button:enabled");
    await units.first().waitFor();
    await units.nth(Math.min(given, (await units.count()) - 1)).click();
    await page.getByRole("button", { name: "Give an order" }).last().click({ timeout: 2000 }).catch(() => {});
    await page.locator(".choices").getByRole("button", { name: order }).first().click();
    await page.waitForFunction((given) => document.querySelectorAll(".log .decided").length > given, given);
}

/** What is hidden of an entity or an event is not there, and no number is of something unseen. */
function assertSent(received: Received, side: string): void {
    const known = new Set<number>();
    const hidden = new Map<number, Set<string>>();
    for (const { called = {}, hidden: concealed = {}, set = {}, events = [] } of received.changes()) {
        for (const number of Object.keys(called)) known.add(Number(number));
        for (const [number, names] of Object.entries(concealed)) hidden.set(Number(number), new Set(names));
        for (const [number, attributes] of Object.entries(set)) {
            for (const name of Object.keys(attributes)) assert.ok(!hidden.get(Number(number))?.has(name), `${side} is told the hidden ${name} of ${number}`);
            for (const entity of numbersIn(attributes)) assert.ok(known.has(entity), `${side} is told a number ${entity} that it has not seen`);
        }
        for (const { kind, of = [] } of events) {
            for (const entity of of) assert.ok(known.has(entity), `${side} is told by ${kind} of a number ${entity} that it has not seen`);
        }
    }
    assert.ok([...hidden.values()].some((names) => names.size > 0), `something is hidden from ${side}`);
}

function numbersIn(value: unknown): number[] {
    if (Array.isArray(value)) return value.flatMap(numbersIn);
    if (value === null || typeof value !== "object") return [];
    const own = "entity" in value && typeof value.entity === "number" ? [value.entity] : [];
    return [...own, ...Object.values(value).flatMap(numbersIn)];
}
