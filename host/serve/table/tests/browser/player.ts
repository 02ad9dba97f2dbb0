// A simple player, who reads the orders like anybody: by clicking, or by keys
// alone. He fires once where he may, moves once, and lets the rest go by.
import type { Page } from "playwright-core";

export type Hands = { press: (page: Page, button: Wanted) => Promise<boolean> };

/** A button by what it says, in a part of the orders. */
export type Wanted = { within: string; text: RegExp };

/** What stands in the orders just now. */
export type Orders = { heading: string; asked: string | null; buttons: string[]; isBusy: boolean; log: number };

export function ordersOf(page: Page): Promise<Orders> {
    return page.evaluate(() => {
        const orders = document.querySelector(".orders");
        const texts = (of: string) => [...(orders?.querySelectorAll<HTMLElement>(of) ?? [])].map((one) => one.getAttribute("aria-label") ?? one.innerText.replaceAll(/\s+/g, " "));
        const domain = orders?.querySelector("[class^=asked-]")?.className.replace("asked-", "") ?? null;
        return {
            heading: texts("h2")[0] ?? "",
            asked: domain,
            buttons: [...texts(".actions > ul button:enabled, .action-group button:enabled"), ...texts(".stops button:enabled, .choices button:enabled, .several > button:enabled, .whole button:enabled, .suggestions button:enabled")],
            isBusy: orders?.querySelector("[role=status].note, .verdict.is-asking") !== null || orders?.querySelector("button") === null,
            log: document.querySelectorAll(".log .lines ol > li").length,
        };
    });
}

/** By the mouse. */
export const MOUSE: Hands = {
    press: async (page, { within, text }) => {
        const button = page.locator(within).getByRole("button", { name: text }).and(page.locator("button:enabled")).first();
        if ((await button.count()) === 0) return false;
        // What the other side does meanwhile may take the button away.
        return button.click({ timeout: 1500 }).then(() => true, () => false);
    },
};

/** What is asked of an order: Escape would take the order back. */
const ASKED = /choices|asked|suggestions|several|whole/;

/** By Tab and Enter. */
export const KEYS: Hands = {
    press: async (page, { within, text }) => {
        if (!ASKED.test(within)) await page.keyboard.press("Escape");
        return tabTo(page, within, text).then((isThere) => isThere && page.keyboard.press("Enter").then(() => true));
    },
};

/** Goes on with Tab, or back with Shift and Tab, until a button that says so has the focus. */
export async function tabTo(page: Page, within: string, text: RegExp): Promise<boolean> {
    for (let step = 0; step < 160; step++) {
        const key = await page.evaluate(([within, source, flags]) => {
            const saysSo = (one: HTMLElement) => new RegExp(source as string, flags).test(one.getAttribute("aria-label") ?? one.innerText.replaceAll(/\s+/g, " "));
            const wanted = [...document.querySelectorAll<HTMLElement>(`${within} button:enabled`)].filter(saysSo);
            const active = document.activeElement;
            if (active instanceof HTMLElement && wanted.includes(active)) return null;
            const isAfter = (one: HTMLElement) => active === null || active === document.body || Boolean(active.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
            return wanted.length === 0 || wanted.some(isAfter) ? "Tab" : "Shift+Tab";
        }, [within, text.source, text.flags]);
        if (key === null) return true;
        await page.keyboard.press(key);
    }
    return false;
}

/** Plays one decision if there is one to make; says what it was. */
export class Player {
    private readonly done = new Map<string, number>();

    constructor(
        private readonly page: Page,
        private readonly hands: Hands,
    ) {}

    /** What was done; `null` while others must decide. */
    async step(): Promise<string | null> {
        const orders = await ordersOf(this.page);
        if (orders.isBusy || /^Waiting|is over$/.test(orders.heading)) return null;
        if (orders.asked !== null) return this.answer(orders);
        if (/react/.test(orders.heading)) return this.press(".stops", /^Do not react/);
        for (const [action, most] of [[/^Activate/, 99], [/^Fire the declared/, 99], [/^Fire(?! the)/, 2], [/^Move/, 2]] as const) {
            const name = String(action);
            const count = this.done.get(name) ?? 0;
            if (count >= most || !orders.buttons.some((button) => action.test(button))) continue;
            this.done.set(name, count + 1);
            if (/Activate/.test(name)) this.done.clear();
            return this.press(".actions", action);
        }
        return (await this.press(".stops", /^Done/)) ?? this.press(".stops", /^Pass/);
    }

    private async answer({ asked, buttons }: Orders): Promise<string | null> {
        if (asked === "route" || asked === "place") {
            const go = buttons.find((button) => /^(Go there|This place)/.test(button));
            if (go) return this.press(".asked .stops", /^(Go there|This place)/);
            return (await this.press(".suggestions", /./)) ?? this.press(".stops", /^Cancel/);
        }
        if (asked === "several") return this.press(".several", /^(None of them|These)/);
        if (asked === "integer") return this.press(".whole", /^Take/);
        return (await this.press(".choices", /./)) ?? this.press(".stops", /^Cancel/);
    }

    private async press(within: string, text: RegExp): Promise<string | null> {
        return (await this.hands.press(this.page, { within: `.orders ${within}`, text })) ? text.source : null;
    }
}
