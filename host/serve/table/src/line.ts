// The line to the server: requests and replies over a socket that may break.
// What is asked while it is down waits; what was sent and not answered is sent
// again, which is safe for decisions since each bears a key; rulings bear none,
// and are not.
import type { Results, Trouble } from "./protocol.ts";

/** A request that was not granted. */
export class Refused extends Error {
    constructor(
        readonly code: number,
        message: string,
        readonly trouble: Trouble | null,
    ) {
        super(message);
    }

    /** Why, in words for the player. */
    get reason(): string {
        return this.trouble?.trouble === "refusal" ? this.trouble.reason : this.message;
    }

    /** The clause that gives the reason. */
    get clause(): string | null {
        return this.trouble?.trouble === "refusal" ? (this.trouble.clause ?? null) : null;
    }
}

/** How the line stands; `stuck` while it comes back, and the match behind it does not. */
export type LineState = "opening" | "open" | "broken" | "stuck" | "refused" | "revoked";

/** What is asked with a request; what is made when it is said may know what was told by then. */
type Params = object | (() => object);

type Waiting = { id: number; method: string; params: Params; answer: (result: unknown) => void; fail: (error: Refused) => void };

/** The token opens no seat. */
const NO_SEAT = -32008;

/** What has no key, and would be done twice if it were said twice. */
const RULINGS: ReadonlySet<string> = new Set(["undo", "redo", "bot_turn", "bots", "reload", "set_bot", "revoke_seat", "choose", "branch"]);

/** What each greeting asks anew. */
const GREETINGS: ReadonlySet<string> = new Set(["hello", "follow", "catalogue"]);

/** With this code a socket is closed whose match cannot be taken up. */
const NO_MATCH = 1011;

/** No code of the server's: the line broke. */
const LINE_BROKE = 0;

type Handlers = {
    /** Called on each new connection before anything that waits is sent. */
    greet: () => Promise<void>;
    notice: (method: string, params: unknown) => void;
    state: (state: LineState) => void;
};

/** Says something, unless the line is breaking: then it is said over the next one. */
function say(socket: WebSocket, { id, method, params }: Waiting): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: typeof params === "function" ? params() : params }));
}

/** How long to wait before trying again: soon at first, at most every five seconds. */
export function delayOf(attempt: number): number {
    return Math.min(5000, 150 * 2 ** Math.min(attempt, 6));
}

export class Line {
    private socket: WebSocket | null = null;
    private nextId = 1;
    private readonly waiting = new Map<number, Waiting>();
    private attempt = 0;
    private isGreeted = false;
    private isOver = false;

    constructor(
        private readonly url: string,
        private readonly handlers: Handlers,
    ) {
        addEventListener("online", () => this.hurry());
        document.addEventListener("visibilitychange", () => this.hurry());
    }

    open(): void {
        const socket = new WebSocket(this.url);
        this.socket = socket;
        this.isGreeted = false;
        socket.onopen = () => void this.greet(socket);
        socket.onmessage = (message) => this.receive(String(message.data));
        socket.onclose = ({ code }) => this.closed(socket, code === NO_MATCH ? "stuck" : "broken");
    }

    /** Ends for good: the seat is another's, or opens nothing. */
    end(state: "refused" | "revoked"): void {
        this.isOver = true;
        this.socket?.close();
        this.handlers.state(state);
    }

    /** A request; it is sent as soon as the line is open. */
    ask<Name extends keyof Results>(method: Name, params: Params): Promise<Results[Name]>;
    ask<Gives>(method: string, params: Params): Promise<Gives>;
    ask(method: string, params: Params): Promise<unknown> {
        return this.put(method, params, this.isGreeted);
    }

    /** A request of the greeting itself, which goes before all that waits. */
    greetWith<Gives>(method: string, params: object): Promise<Gives> {
        return this.put(method, params, true) as Promise<Gives>;
    }

    private put(method: string, params: Params, isNow: boolean): Promise<unknown> {
        const id = this.nextId++;
        return new Promise((answer, fail) => {
            const one = { id, method, params, answer, fail };
            this.waiting.set(id, one);
            if (isNow && this.socket) say(this.socket, one);
        });
    }

    private async greet(socket: WebSocket): Promise<void> {
        const before = [...this.waiting.values()];
        try {
            await this.handlers.greet();
        } catch (error) {
            if (socket !== this.socket) return;
            if (error instanceof Refused && error.code === NO_SEAT) this.end("refused");
            else socket.close();
            return;
        }
        if (socket !== this.socket) return;
        this.isGreeted = true;
        this.attempt = 0;
        this.handlers.state("open");
        const rest = [...this.waiting.values()].filter((one) => before.includes(one) || one.method !== "hello");
        for (const one of rest) say(socket, one);
    }

    private receive(text: string): void {
        const message = JSON.parse(text) as { id?: number; method?: string; params?: unknown; result?: unknown; error?: { code: number; message: string; data?: Trouble } };
        if (message.method !== undefined) return this.handlers.notice(message.method, message.params);
        const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
        if (!waiting) return;
        this.waiting.delete(waiting.id);
        if (message.error) waiting.fail(new Refused(message.error.code, message.error.message, message.error.data ?? null));
        else waiting.answer(message.result);
    }

    private closed(socket: WebSocket, state: LineState): void {
        if (socket !== this.socket || this.isOver) return;
        this.socket = null;
        this.isGreeted = false;
        this.forget();
        this.handlers.state(state);
        setTimeout(() => this.again(), delayOf(this.attempt++));
    }

    /** What a greeting asked is asked anew by the next; a ruling is not made twice. */
    private forget(): void {
        for (const [id, one] of this.waiting) {
            if (GREETINGS.has(one.method)) this.waiting.delete(id);
            if (!RULINGS.has(one.method)) continue;
            this.waiting.delete(id);
            one.fail(new Refused(LINE_BROKE, "the line broke before there was an answer: see in the log whether it was done", null));
        }
    }

    private again(): void {
        if (!this.isOver && this.socket === null) this.open();
    }

    private hurry(): void {
        if (document.visibilityState === "visible") this.again();
    }
}
