// A battle with hidden orders: what reaches a browser holds nothing that its
// side may not know, and while the other side orders in secret nothing at all.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import { serve, type Served } from "./server.ts";

type Told = { method?: string; params?: { set?: Moved[]; gone?: number[]; news?: { events: { kind: string; fields: Record<string, unknown>; hidden: string[] }[] } } };
type Moved = { entity: number; label?: string; kind?: string; attributes?: Record<string, unknown>; hidden?: string[] };

/** All that a page was sent. */
class Heard {
    readonly frames: string[] = [];

    constructor(page: Page) {
        page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => this.frames.push(String(payload))));
    }

    changes(): NonNullable<Told["params"]>[] {
        return this.frames.map((frame) => JSON.parse(frame) as Told).filter((told) => told.method === "change").map((told) => told.params ?? {});
    }

    labels(): Set<string> {
        return new Set(this.changes().flatMap((change) => change.set ?? []).flatMap((moved) => moved.label ?? []));
    }
}

describe("a battle with hidden orders", { skip: LEFT_OUT }, () => {
    let browser: Browser;
    let served: Served;

    before(async () => {
        browser = await openBrowser();
        served = await serve("crossroads", "--turns", "1", "--pause", "0");
    });
    after(async () => {
        await browser?.close();
        served?.stop();
        assertQuiet();
    });

    test("no frame holds what its seat may not know", { timeout: 540_000 }, async () => {
        const pages: Page[] = [];
        const heard: Heard[] = [];
        for (const seat of ["blue", "red", "referee"]) {
            const page = await openPage(browser, null);
            heard.push(new Heard(page));
            await page.goto(served.links[seat] ?? "");
            await page.waitForSelector(".piece");
            pages.push(page);
        }
        const [blue, red, referee] = pages as [Page, Page, Page];
        const [, toRed, toReferee] = heard as [Heard, Heard, Heard];

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
            const mine = heard[at] as Heard;
            assertTold(mine, side);
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
    const units = page.locator(".deeds .actors button:enabled");
    await units.first().waitFor();
    await units.nth(Math.min(given, (await units.count()) - 1)).click();
    await page.getByRole("button", { name: "Give an order" }).last().click({ timeout: 2000 }).catch(() => {});
    await page.locator(".choices").getByRole("button", { name: order }).first().click();
    await page.waitForFunction((given) => document.querySelectorAll(".log .decided").length > given, given);
}

/** What is hidden of an entity or an event is not there, and no number is of something unseen. */
function assertTold(heard: Heard, side: string): void {
    const known = new Set<number>();
    const hidden = new Map<number, Set<string>>();
    for (const change of heard.changes()) {
        for (const moved of change.set ?? []) {
            known.add(moved.entity);
            if (moved.hidden) hidden.set(moved.entity, new Set(moved.hidden));
            for (const name of Object.keys(moved.attributes ?? {})) assert.ok(!hidden.get(moved.entity)?.has(name), `${side} is told the hidden ${name} of ${moved.label ?? moved.entity}`);
        }
        for (const event of change.news?.events ?? []) {
            for (const name of event.hidden) assert.ok(event.fields[name] === undefined || event.fields[name] === null, `${side} is told the hidden ${name} of ${event.kind}`);
            for (const entity of numbersIn(event.fields)) assert.ok(known.has(entity), `${side} is told a number ${entity} that it has not seen`);
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
