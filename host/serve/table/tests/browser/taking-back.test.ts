// Two browsers that take play back together: what would go is read in the words of
// the log, declined, withdrawn, agreed to, and over when somebody plays on.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import { serve, type Served } from "./server.ts";

describe("taking back together", { skip: LEFT_OUT }, () => {
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

    test("asked, declined, withdrawn, lapsed and agreed to", { timeout: 240_000 }, async () => {
        const blue = await openPage(browser, served.links.blue ?? "");
        const red = await openPage(browser, served.links.red ?? "", { viewport: { width: 390, height: 844 } });
        const choose = (name: RegExp) => blue.locator(".orders").getByRole("button", { name }).first().click();
        await choose(/^Blue$/);
        await choose(/^Activate: blue-a$/);
        await blue.getByRole("heading", { name: "Activation", exact: true }).waitFor();
        const [mine, theirs] = [blue, red].map((page) => page.getByRole("region", { name: "Taking back" })) as [ReturnType<Page["getByRole"]>, ReturnType<Page["getByRole"]>];
        const ask = () => blue.getByRole("button", { name: "Take back", exact: true }).click();

        await ask();
        await theirs.getByText("Blue asks to take back:").waitFor();
        assert.deepEqual(await theirs.getByRole("listitem").allInnerTexts(), ["Blue: Activate — blue-a"]);
        assert.deepEqual(await mine.getByRole("listitem").allInnerTexts(), ["Blue: Activate — blue-a"]);
        await assertAccessible(red, "asked to take back, on a phone");
        await picture(red, "taking-back-phone");
        await theirs.getByRole("button", { name: "Decline" }).click();
        await blue.getByText("Red declines to take play back").waitFor();
        await mine.waitFor({ state: "detached" });

        await ask();
        await theirs.waitFor();
        await mine.getByRole("button", { name: "Withdraw" }).click();
        await red.getByText("Blue does not ask to take play back any more").waitFor();

        await ask();
        await theirs.waitFor();
        await blue.locator(".orders > .stops").getByRole("button", { name: "Done" }).click();
        await red.getByText("The game has gone on: nothing is taken back").waitFor();

        await ask();
        await theirs.getByRole("button", { name: "Agree" }).click();
        for (const page of [blue, red]) await page.getByText("Play was taken back").waitFor();
        await blue.getByRole("heading", { name: "Activation", exact: true }).waitFor();
    });
});
