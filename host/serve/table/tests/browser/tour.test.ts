// The tour of the book, step by step: from `serve` to a first changed rule.
// With `TABLE_PICTURES` it makes the book's pictures.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import { folderWith, serveIn, type Served } from "./server.ts";

declare const TABLE_ROOT: string;

const SIZE = { viewport: { width: 1180, height: 740 } };

describe("the tour", { skip: LEFT_OUT }, () => {
    let browser: Browser;
    let folder: string;
    let served: Served;

    before(async () => {
        browser = await openBrowser();
        folder = folderWith("mods");
        served = await serveIn(folder, "skirmish", "--seed", "1996", "--mods", join(folder, "mods"), "--watch", "--journal", join(folder, "game.journal"));
    });
    after(async () => {
        await browser?.close();
        served?.stop();
        if (folder) rmSync(folder, { recursive: true, force: true });
        assertQuiet();
    });

    test("from the first question to a changed rule", { timeout: 300_000 }, async () => {
        const blue = await openPage(browser, served.links.blue ?? "", SIZE);
        const referee = await openPage(browser, served.links.referee ?? "", SIZE);
        await choose(blue, "Blue");
        const units = blue.locator(".action-group", { hasText: "Activate" });
        await units.waitFor();
        await picture(blue, "table");

        await units.getByRole("button", { name: "blue-a" }).click();
        await piece(blue, "blue-a-1").click();
        await blue.locator("button.action", { hasText: /^Fire$/ }).click();
        await blue.locator(".asked").getByText(/red-a-1/).first().waitFor();
        await blue.locator(".outlook", { hasText: /\d in, medium.*knocked out \d+ ?%/ }).nth(1).waitFor();
        await picture(blue, "targets");
        await piece(blue, "red-a-1").click();
        await choose(blue, "steady");
        await blue.getByRole("button", { name: /^Fire the declared/ }).first().click();
        const shot = blue.locator(".log .line", { hasText: /blue-a-1 (misses|fires)|red-a-1 is hit/ });
        await shot.last().click();
        await blue.locator(".why").getByText(/dsii|against|FireCon/).first().waitFor();
        await picture(blue, "why");
        await assertAccessible(blue, "after the first shot");

        const path = join(folder, "mods/dsii/rules/fire/3_volley.luau");
        const text = readFileSync(path, "utf8");
        const [before, after] = linesOfTour();
        assert.ok(text.includes(before), "the line that the tour shows is there");
        writeFileSync(path, text.replace(before, after));
        await referee.getByText("The rules have changed").waitFor();
        await picture(referee, "changed");
        await referee.getByRole("button", { name: "Show both" }).click();
        await referee.getByRole("dialog").getByRole("heading").first().waitFor();
        await picture(referee, "both");
        await assertAccessible(referee, "both versions of the shot");
        await referee.getByRole("button", { name: "Close", exact: true }).last().click();

        await blue.getByText("The rules have changed").waitFor();
        await referee.getByRole("button", { name: "Rules" }).click();
        await referee.getByLabel("Search the rules").fill("opportunity");
        await referee.locator(".mod li").first().waitFor();
        await picture(referee, "rules");
    });
});

/** The line that the page of the book changes, before and after. */
function linesOfTour(): [string, string] {
    const page = readFileSync(join(TABLE_ROOT, "../../../docs/tour/table.md"), "utf8");
    const [before, after] = [...page.matchAll(/```lua\n(.*)\n```/g)].map((found) => found[1] as string);
    assert.ok(before !== undefined && after !== undefined);
    return [before, after];
}

function piece(page: Page, label: string) {
    return page.locator(`.piece[aria-label^="${label},"]`);
}

/** Answers what is asked with the choice that begins so. */
async function choose(page: Page, text: string): Promise<void> {
    await page.locator(".asked .choices, .choices").getByRole("button", { name: new RegExp(`^${text}`, "i") }).first().click();
}
