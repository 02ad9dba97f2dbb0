// A line that breaks in between, and what is not granted; told by the test what to show.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { PageAlone } from "./alone.ts";
import { LEFT_OUT } from "./browser.ts";
import { act, event, Mock, Refuse, reloaded, tanks } from "./mock.ts";
import { entityChanges } from "../entities.ts";
import type { ModRules } from "../../src/protocol.ts";

/** The rules in force: one clause, which is switched on or off. */
function rules(on: boolean): ModRules[] {
    const luck = { id: "demo.fire.luck", title: "Luck", text: "A chit says what is hit.", source: "p. 2", effect: "adds" as const, core: false, on, requires: [] };
    return [{ id: "demo", title: "Demo", text: "", on: true, options: [], groups: [{ id: "fire", title: "Fire", text: "", clauses: [luck] }] }];
}

/** Until something was asked twice. */
async function asked(page: Page, mock: Mock, method: string): Promise<void> {
    for (let wait = 0; wait < 250 && mock.of(method).length < 2; wait++) await page.waitForTimeout(20);
    assert.equal(mock.of(method).length, 2, method);
}

describe("a line that breaks", { skip: LEFT_OUT }, () => {
    const alone = new PageAlone();

    async function sitDown(mock: Mock): Promise<Page> {
        const page = await alone.sitDown(mock);
        await page.waitForSelector(".piece");
        return page;
    }

    /** A referee with the rules open. */
    async function refereeing(): Promise<{ mock: Mock; page: Page }> {
        const mock = new Mock();
        mock.at = { seat: "referee" };
        mock.whole("referee", { ...entityChanges(...tanks(4, 4)), ask: { ask: 1, prompt: "wait" } });
        mock.replies.rules = () => rules(true);
        const page = await sitDown(mock);
        await page.getByRole("button", { name: "Rules" }).click();
        await page.getByText("Fire 1 of 1 in force").click();
        return { mock, page };
    }

    test("rules that were changed meanwhile are shown as they are, and what is ticked stays where none was", async () => {
        const { mock, page } = await refereeing();
        await page.getByRole("checkbox", { name: "Luck" }).uncheck();
        await mock.drop();
        await asked(page, mock, "rules");
        await page.waitForTimeout(100);
        await page.getByText("1 change.").waitFor();
        mock.replies.rules = () => rules(false);
        await mock.drop();
        await page.getByText("Fire 0 of 1 in force").waitFor({ timeout: 8000 });
        await page.context().close();
    });

    test("other rules can be chosen after the line broke while they were looked up", async () => {
        const { mock, page } = await refereeing();
        const { catalogue } = mock;
        mock.replies.choose = () => reloaded();
        mock.replies.catalogue = () => undefined;
        await page.getByRole("checkbox", { name: "Luck" }).uncheck();
        await page.getByRole("button", { name: "As if always" }).click();
        await page.getByText("The rules have changed").waitFor();
        mock.replies.catalogue = () => catalogue;
        mock.replies.rules = () => rules(false);
        await mock.drop();
        await asked(page, mock, "rules");
        await page.waitForFunction(() => !document.querySelector(".apply"));
        await page.getByRole("checkbox", { name: "Luck" }).check({ timeout: 5000 });
        await page.getByRole("button", { name: "As if always" }).click();
        await asked(page, mock, "choose");
        await page.context().close();
    });

    test("where a moment cannot be shown the board shows now", async () => {
        const mock = new Mock();
        mock.whole("blue", { ...entityChanges(...tanks(10, 10)), ask: act(1), timeline: 0, events: ["begins", "goes on", "ends"].map((does) => event(`it ${does}`, { kind: "action" })), last: 3 });
        const then = tanks(3, 10).map((one) => ({ handle: one.entity, kind: one.kind, label: one.label, attributes: one.attributes, hidden: [] }));
        mock.replies.view = () => ({ viewer: "blue", phases: [], turn: null, wanted: "act", decks: [], result: null, hash: "", entities: then });
        const page = await sitDown(mock);
        await page.getByRole("button", { name: "One decision back" }).click();
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 3);
        mock.replies.view = () => new Refuse("nobody knows it any more");
        await page.getByRole("button", { name: "One decision back" }).click();
        await page.getByText("nobody knows it any more").waitFor();
        await page.waitForFunction(() => document.querySelectorAll(".piece").length === 10, null, { timeout: 5000 });
        await page.context().close();
    });
});
