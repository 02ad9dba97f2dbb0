// Two browsers and a spectator play a skirmish to its end: one by clicking,
// one by keys alone, over a line that breaks again and again.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import { KEYS, MOUSE, ordersOf, Player } from "./player.ts";
import { serve, type Served } from "./server.ts";

const STEPS = 600;

describe("a game in browsers", { skip: LEFT_OUT }, () => {
    let browser: Browser;
    let served: Served;

    before(async () => {
        browser = await openBrowser();
        served = await serve("skirmish", "--agreed", "--seed", "1996");
    });
    after(async () => {
        await browser?.close();
        served?.stop();
        assertQuiet();
    });

    test("a skirmish is played to its end", { timeout: 540_000 }, async () => {
        const { links } = served;
        const blue = await openPage(browser, links.blue ?? "");
        // What the test's own line in between had still to pass on when it broke, the browser complains of.
        const red = await openPage(browser, null, {}, /WebSocket is already in CLOSING or CLOSED state/);
        const drops = await breaking(red, 6000);
        await red.goto(links.red ?? "");
        const watching = await openPage(browser, links.spectator ?? "", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
        for (const page of [blue, red, watching]) await page.waitForSelector(".piece");
        assert.equal(new URL(blue.url()).hash, "", "the token does not stay in the address");
        await assertAccessible(blue, "at the first question");
        await assertAccessible(watching, "a spectator on a dark phone");

        const players = [new Player(blue, MOUSE), new Player(red, KEYS)];
        const actions: string[] = [];
        for (let step = 0; step < STEPS; step++) {
            const did = [];
            for (const [at, player] of players.entries()) {
                const one = await player.step();
                if (one) did.push(`${at === 0 ? "blue" : "red"} ${one}`);
            }
            actions.push(...did);
            if (actions.length === 12) {
                await assertAccessible(blue, "in mid-game");
                await picture(blue, "mid-game");
            }
            if (await isOver(blue)) break;
            if (did.length === 0) await blue.waitForTimeout(60);
        }
        await picture(blue, "over");
        await picture(watching, "over-phone-dark");
        for (const page of [blue, red, watching]) await page.waitForFunction(() => document.querySelector(".orders h2")?.textContent === "The game is over");
        assert.ok(actions.some((action) => action.startsWith("blue")) && actions.some((action) => action.startsWith("red")), actions.join("\n"));
        assert.match((await publicLog(watching)).join("\n"), / is hit|misses|is unharmed/, "shots are fired");
        assert.ok(drops.count() > 0, "the line of red broke");
        assert.deepEqual(await publicLog(red), await publicLog(watching), "who was cut off was told the same");
        await assertAccessible(blue, "when it is over");
    });
});

async function isOver(page: Page): Promise<boolean> {
    return (await ordersOf(page)).heading === "The game is over";
}

/** The lines of the log, but for what each is told alone. */
function publicLog(page: Page): Promise<string[]> {
    return page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".log .lines li > .line > span:first-child")].map((line) => line.textContent ?? ""));
}

/** Breaks the line of a page every so many milliseconds. */
async function breaking(page: Page, every: number): Promise<{ count: () => number }> {
    let drops = 0;
    await page.routeWebSocket(/\/ws$/, (line) => {
        const server = line.connectToServer();
        const timer = setTimeout(() => {
            drops++;
            void server.close();
            void line.close();
        }, every);
        line.onClose(() => clearTimeout(timer));
        server.onClose(() => line.close());
    });
    return { count: () => drops };
}
