// The page alone in a browser of one suite: its test plays the server's part.
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { assertQuiet, openBrowser, openPage } from "./browser.ts";
import type { Mock } from "./mock.ts";
import { pageAlone } from "./server.ts";

/** Where the page of a suite is found, and how somebody sits down at it. */
export class PageAlone {
    private browser: Browser | null = null;
    private site: { url: string; stop: () => void } | null = null;

    /** Opened before the tests of the suite that it is made in, and closed after them. */
    constructor() {
        before(async () => {
            this.browser = await openBrowser();
            this.site = await pageAlone();
        });
        after(async () => {
            await this.browser?.close();
            this.site?.stop();
            assertQuiet();
        });
    }

    /** Its address, with a slash at the end. */
    get url(): string {
        if (this.site === null) throw new Error("no test has begun");
        return this.site.url;
    }

    /** A page that shows nothing yet. */
    open(options: BrowserContextOptions = {}): Promise<Page> {
        if (this.browser === null) throw new Error("no test has begun");
        return openPage(this.browser, null, options);
    }

    /** Somebody sits down at what the test shows. */
    async sitDown(mock: Mock, options: BrowserContextOptions = {}): Promise<Page> {
        const page = await this.open(options);
        await mock.on(page);
        await page.goto(`${this.url}#token`);
        return page;
    }
}
