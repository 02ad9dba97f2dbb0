// Rules that are saved, chosen and tried while a game is on, and a server that
// is killed under it.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible, assertQuiet, LEFT_OUT, openBrowser, openPage, picture } from "./browser.ts";
import { folderWith, run, serveIn, type Served } from "./server.ts";

const NEEDED = "face < options.fire_needed(game)";

describe("a game whose rules change", { skip: LEFT_OUT }, () => {
    let browser: Browser;
    let folder: string;
    let served: Served;
    let referee: Page;
    const rules = () => join(folder, "drill/rules/fire.luau");

    before(async () => {
        browser = await openBrowser();
    });
    after(async () => {
        await browser?.close();
        assertQuiet();
    });
    afterEach(async () => {
        await referee?.context().close();
        served?.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    /** Two bots play the drill to its end, and the referee looks on. */
    async function watched(): Promise<void> {
        folder = folderWith("docs/examples/drill");
        served = await serveIn(folder, "drill/range", "--seed", "1996", "--mods", folder, "--journal", join(folder, "game.journal"), "--turns", "4", "--watch", "--bot", "blue=random", "--bot", "red=random", "--pause", "10");
        referee = await openPage(browser, served.links.referee ?? "");
        await referee.getByText("The game is over").waitFor({ timeout: 60_000 });
    }

    function save(from: string, to: string): void {
        const text = readFileSync(rules(), "utf8");
        assert.ok(text.includes(from), from);
        writeFileSync(rules(), text.replace(from, to));
    }

    /** Saves, and waits for what is told: how long that took. */
    async function savedUntil(from: string, to: string, what: RegExp): Promise<number> {
        for (const close of await referee.locator(".toast [aria-label=Close], .faults [aria-label=Close]").all()) await close.click();
        const begun = performance.now();
        save(from, to);
        await referee.getByText(what).first().waitFor();
        return performance.now() - begun;
    }

    test("a rule that is saved is told at once, with both versions of the game; a broken one with its line", { timeout: 240_000 }, async () => {
        await watched();
        await savedUntil(NEEDED, "face < 9", /The rules have changed/);
        await referee.getByRole("button", { name: "Show both" }).click();
        const dialog = referee.getByRole("dialog");
        await dialog.getByRole("heading", { name: /The game takes another course at decision/ }).waitFor();
        await dialog.getByRole("region", { name: "By the rules before" }).getByText(/fall/).first().waitFor();
        await dialog.getByRole("region", { name: "By the rules now" }).getByText(/a miss/).first().waitFor();
        assert.match(await dialog.getByRole("table").innerText(), /strength/);
        await assertAccessible(referee, "both versions of a drill");
        await picture(referee, "live-versions");
        await dialog.getByRole("button", { name: "Close" }).click();
        await savedUntil("face < 9", "face <", /rules\/fire\.luau:\d+/);
        await referee.getByText("The game goes on by the rules before.").waitFor();
        await picture(referee, "live-fault");
        await savedUntil("face <", NEEDED, /The rules have changed/);
        const times = [];
        for (let at = 0; at < 6; at++) times.push(await savedUntil(at % 2 ? "face < 9" : NEEDED, at % 2 ? NEEDED : "face < 9", /The rules have changed/));
        console.log(`from save to toast: ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
    });

    test("a clause is switched off in play, a game goes on beside this one, and what was played is kept as a test", { timeout: 240_000 }, async () => {
        await watched();
        await referee.getByRole("button", { name: "Rules" }).click();
        await referee.getByText(/^Fire 3 of 3 in force/).click();
        await referee.getByText("may duck, once in the game").waitFor();
        await referee.getByRole("checkbox", { name: "Ducking" }).uncheck();
        await referee.getByRole("button", { name: "As if always" }).click();
        await referee.getByText("The rules have changed").waitFor();
        await referee.getByText(/^Fire 2 of 3 in force/).waitFor();
        await picture(referee, "live-rules");

        await referee.getByRole("button", { name: "Rulings" }).click();
        await referee.getByLabel("Name of the file").fill("kept");
        await referee.getByLabel("The whole game so far").check();
        await referee.getByRole("button", { name: "Keep", exact: true }).click();
        const text = await referee.getByLabel("The test").inputValue();
        writeFileSync(join(folder, "drill/scenarios/kept.ron"), text);
        const accepted = run(folder, "test", "drill", "--mods", folder, "--accept");
        assert.equal(accepted.code, 0, accepted.output);
        assert.match(readFileSync(join(folder, "drill/golden/kept.snap"), "utf8"), /rules\s+drill -drill\.fire\.duck/);
        await referee.waitForTimeout(300);

        await referee.getByRole("button", { name: "Log" }).click();
        await referee.locator(".log .line", { hasText: /shoots at/ }).last().click();
        const shown = await referee.locator(".log li.open > .line > span").innerText();
        await referee.getByRole("button", { name: "Rulings" }).click();
        await referee.getByLabel(`This moment: ${shown}`).check();
        await referee.getByLabel("Name of the file").fill("shot");
        await referee.getByRole("button", { name: "Keep", exact: true }).click();
        await referee.getByText(/Put it into your mod as tests\/shot\.luau/).waitFor();
        await picture(referee, "live-kept");
        writeFileSync(join(folder, "drill/tests/shot.luau"), await referee.getByLabel("The test").inputValue());
        const passed = run(folder, "test", "drill", "--mods", folder, "--filter", "tests/shot.luau");
        assert.equal(passed.code, 0, passed.output);
        assert.match(passed.output, /[1-9]\d* passed, 0 failed/);
        await referee.waitForTimeout(300);

        await referee.getByLabel("Look back through the game").fill("1");
        await referee.getByRole("button", { name: "Play on from the moment shown" }).click();
        const link = await referee.getByRole("link", { name: /^From decision/ }).getAttribute("href");
        const log = await referee.locator(".log ol > li").count();
        const beside = await openPage(browser, link);
        await beside.getByRole("button", { name: "I am Blue" }).click();
        await beside.getByRole("button", { name: /^Give an order|^Done/ }).first().waitFor();
        await assertAccessible(beside, "a game beside another");
        await beside.getByRole("button", { name: /^Done/ }).click();
        await beside.getByText("Hand the screen to Red").waitFor();
        assert.equal(await referee.locator(".log ol > li").count(), log, "this one stays as it is");
        await beside.context().close();
    });

    test("a server that is killed goes on where it was, with the links of before", { timeout: 120_000 }, async () => {
        folder = folderWith("docs/examples/drill");
        const journal = join(folder, "game.journal");
        served = await serveIn(folder, "drill/range", "--seed", "1996", "--mods", folder, "--journal", journal);
        referee = await openPage(browser, served.links.blue ?? "");
        await referee.getByRole("button", { name: /^Done/ }).waitFor();
        await served.kill();
        await referee.getByText("Reconnecting…").waitFor();
        await referee.getByRole("button", { name: /^Done/ }).click();
        served = await serveIn(folder, "--load", journal, "--mods", folder, "--at", new URL(served.links.blue ?? "").host);
        assert.match(served.output(), /by the links that were given before/);
        await referee.getByText(/Blue is done/).first().waitFor();
        await referee.waitForFunction(() => !document.querySelector(".who .line"));
        assertQuiet(/WebSocket connection to/);
    });
});
