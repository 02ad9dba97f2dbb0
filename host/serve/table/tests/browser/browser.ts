// Debian's chromium, and what is asked of every page in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

declare const TABLE_ROOT: string;

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const AXE = readFileSync(createRequire(join(TABLE_ROOT, "package.json")).resolve("axe-core/axe.min.js"), "utf8");

/** Why tests in a browser are left out, if they are. */
export const LEFT_OUT = existsSync(CHROMIUM) ? false : `no browser at ${CHROMIUM}`;

export function openBrowser(): Promise<Browser> {
    const isRoot = process.getuid?.() === 0;
    return chromium.launch({ executablePath: CHROMIUM, args: isRoot ? ["--no-sandbox"] : [] });
}

/** What pages have complained of. */
const complaints: string[] = [];

/** No page has complained of anything since it was last asked, but for what is expected. */
export function assertQuiet(expected?: RegExp): void {
    assert.deepEqual(complaints.splice(0).filter((one) => !expected?.test(one)), []);
}

/** A page whose complaints are kept for `assertQuiet`, but for what a test brings about itself. */
export async function openPage(browser: Browser, url: string | null, options: BrowserContextOptions = {}, expected: RegExp | null = null): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1366, height: 850 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && !expected?.test(message.text()) && complaints.push(message.text()));
    if (url !== null) await page.goto(url);
    return page;
}

type Violation = { id: string; impact: string | null; help: string; nodes: { target: string[]; failureSummary?: string }[] };

/** Nothing that keeps people out. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Violation[] }> } };
        return (await axe.run({ resultTypes: ["violations"] })).violations;
    });
    assertQuiet();
    const grave = found.filter((one) => one.impact === "serious" || one.impact === "critical");
    assert.deepEqual(grave.map((one) => `${what}: ${one.id}, ${one.help}: ${one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`).join("; ")}`), []);
}

/** A picture for people to look at, in the folder that `TABLE_PICTURES` names. */
export async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.TABLE_PICTURES;
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}
