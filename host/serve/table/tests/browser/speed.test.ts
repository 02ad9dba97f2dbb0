// How long people wait: for the first picture, and from a saved rule to the
// word of it. No time fails a test; what was measured is printed.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertQuiet, LEFT_OUT, openBrowser, openPage } from "./browser.ts";
import { folderWith, serve, serveIn } from "./server.ts";

const PICTURES = 15;
const SAVES = 40;

describe("speed", { skip: LEFT_OUT }, () => {
    let browser: Browser;

    before(async () => {
        browser = await openBrowser();
    });
    after(async () => {
        await browser?.close();
        assertQuiet();
    });

    test("the first picture", { timeout: 120_000 }, async () => {
        const served = await serve("skirmish", "--seed", "1996");
        const times: number[] = [];
        for (let at = 0; at < PICTURES; at++) {
            const page = await openPage(browser, null);
            await noting(page, ".piece");
            await page.goto(served.links.blue ?? "");
            const shown = await noted(page);
            times.push(shown - (await page.evaluate(() => performance.timeOrigin)));
            await page.context().close();
        }
        served.stop();
        console.log(`the first picture of a skirmish: ${shares(times)}`);
    });

    for (const [scenario, mods, file, from, to] of [
        ["drill/range", "docs/examples/drill", "drill/rules/fire.luau", "face < options.fire_needed(game)", "face < 9"],
        ["skirmish", "mods", "mods/dsii/rules/fire/3_volley.luau", "if dice.beats(game, face, best) then 1", "if face + 2 > best then 1"],
    ] as const) {
        test(`from a save to the word of it: ${scenario}`, { timeout: 180_000 }, async () => {
            const folder = folderWith(mods);
            const served = await serveIn(folder, scenario, "--mods", mods === "mods" ? join(folder, "mods") : folder, "--journal", join(folder, "game.journal"), "--watch");
            const page = await openPage(browser, served.links.referee ?? "");
            await page.waitForSelector(".piece");
            const text = readFileSync(join(folder, file), "utf8");
            assert.ok(text.includes(from));
            const times: number[] = [];
            for (let at = 0; at < SAVES; at++) {
                await noting(page, ".toast");
                const begun = Date.now();
                writeFileSync(join(folder, file), at % 2 ? text : text.replace(from, to));
                times.push((await noted(page)) - begun);
                await page.locator(".toast [aria-label=Close]").first().click();
                await page.waitForFunction(() => !document.querySelector(".toast"));
            }
            await page.context().close();
            served.stop();
            rmSync(folder, { recursive: true, force: true });
            console.log(`from a save to the word of it, ${scenario}: ${shares(times)}`);
        });
    }
});

/** Notes when the first of something is painted, by the clock that both processes have. */
async function noting(page: Page, what: string): Promise<void> {
    const note = (what: string) => {
        const window = globalThis as unknown as { shown?: Promise<number> };
        window.shown = new Promise((tell) => {
            const look = () => (document.querySelector(what) ? requestAnimationFrame(() => tell(performance.timeOrigin + performance.now())) : requestAnimationFrame(look));
            look();
        });
    };
    if (page.url() === "about:blank") await page.addInitScript(note, what);
    else await page.evaluate(note, what);
}

function noted(page: Page): Promise<number> {
    return page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown);
}

function shares(times: readonly number[]): string {
    const sorted = [...times].sort((a, b) => a - b);
    const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0);
    return `median ${at(0.5)} ms, 95% within ${at(0.95)} ms of ${sorted.length}`;
}
