// A game of cards: one's own hand is face up, what others hold is a number, and a
// card that may be played shows what it is good for.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import { folderWith, serveIn, type Served } from "./server.ts";

describe("a game of cards", { skip: LEFT_OUT }, () => {
    let browser: Browser;
    let folder: string;
    let served: Served;

    before(async () => {
        browser = await openBrowser();
        folder = folderWith("docs/examples/hearts");
        served = await serveIn(folder, "hearts/table", "--seed", "13", "--mods", folder, "--journal", join(folder, "game.journal"), "--bot", "ben=greedy", "--bot", "cat=greedy", "--pause", "0");
    });
    after(async () => {
        await browser?.close();
        served?.stop();
        if (folder) rmSync(folder, { recursive: true, force: true });
        assertQuiet();
    });

    test("a deal is played from the hand", { timeout: 240_000 }, async () => {
        const ann = await openPage(browser, served.links.ann ?? "");
        const watching = await openPage(browser, served.links.spectator ?? "", { viewport: { width: 390, height: 844 } });
        await ann.locator(".card.as-able").first().waitFor();
        const held = await handOf(ann);
        assert.equal(held.length, 7);
        assert.match(await othersOf(ann), /Ben\s*7 cards[\s\S]*Cat\s*7 cards[\s\S]*Pack: 3 to draw/);
        await watching.locator(".hands").waitFor();
        assert.match(await othersOf(watching), /Ann\s*7 cards/);
        assert.equal(await watching.locator(".card").count(), 0);
        await assertAccessible(ann, "a hand of cards");
        await assertAccessible(watching, "a spectator of cards");
        await picture(ann, "hand");

        // Passing: the first card begins the order, the second completes it.
        const [first, second] = [held[0] as string, held[6] as string];
        await cardOf(ann, first).click();
        await ann.getByRole("group", { name: `With ${first}` }).getByRole("button", { name: /^Lay two cards down/ }).click();
        await ann.locator(".asked-several").waitFor();
        assert.equal(await cardOf(ann, first).getAttribute("aria-pressed"), "true");
        await cardOf(ann, second).click();
        await ann.getByRole("button", { name: "These" }).click();
        await ann.locator(".acting").waitFor({ state: "detached" });
        await ann.getByRole("button", { name: "Done" }).click();

        for (let left = 7; left > 0; left--) {
            const able = ann.locator(".card.as-able");
            await able.first().waitFor();
            assert.equal((await handOf(ann)).length, left);
            const card = (await able.first().innerText()).trim();
            await able.first().focus();
            await ann.keyboard.press("Enter");
            await ann.getByRole("group", { name: `With ${card}` }).getByRole("button", { name: "Play a card" }).click();
            await ann.locator(".log .line", { hasText: `ann-1 plays ${card}` }).first().waitFor();
            await ann.waitForFunction(([gone, count]) => document.querySelectorAll(".card").length !== count || ![...document.querySelectorAll(".card")].some((one) => one.textContent === gone), [card, left] as const);
            if (left === 5) await picture(ann, "trick");
        }
        await watching.locator(".log .line", { hasText: /ann-1 counts/ }).first().waitFor({ state: "attached" });
        await watching.context().close();
        await ann.context().close();
    });
});

async function handOf(page: Page): Promise<string[]> {
    return (await page.locator(".cards .card").allInnerTexts()).map((text) => text.trim());
}

function othersOf(page: Page): Promise<string> {
    return page.locator(".hands .others").innerText();
}

function cardOf(page: Page, card: string) {
    return page.locator(`.card[aria-label^="${card},"]`);
}
