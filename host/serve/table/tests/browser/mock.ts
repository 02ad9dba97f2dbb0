// A server of the test's own: it tells what the test wants to be seen.
import type { Page, WebSocketRoute } from "playwright-core";
import type { Asking, Catalogue, Change, Action, KindAbout, EventLine, Legal, NextParam, Plain, Seat } from "../../src/protocol.ts";
import { type Moved } from "../entities.ts";

const INCH = 25_400;

export const at = (x: number, y: number): { point: [number, number] } => ({ point: [Math.round(x * INCH), Math.round(y * INCH)] });
const attribute = (type: string, fallback: Plain = null) => ({ type, doc: "", default: fallback });

const TANK: KindAbout = {
    title: "element",
    role: "piece",
    at: "at",
    facing: "facing",
    home: { unit: "demo.unit" },
    attributes: { title: attribute("text", "vehicle"), at: attribute("point?"), facing: attribute("direction", { direction: 0 }), side: attribute("text"), unit: attribute("entity(demo.unit)?"), status: attribute("fit|damaged|knocked_out", "fit"), is_under_fire: attribute("bool", false), has_moved: attribute("bool", false) },
};
const UNIT: KindAbout = { title: "unit", role: "group", attributes: { title: attribute("text", "unit") } };
const TERRAIN: KindAbout = { title: "terrain", role: "area", shape: "shape", sort: "type", attributes: { title: attribute("text", "terrain"), type: attribute("text", "open"), shape: attribute("record", { record: {} }) } };
const HEX_UNIT: KindAbout = { title: "unit", role: "piece", at: "at", attributes: { at: attribute("hex"), side: attribute("text"), state: attribute("ready|suppressed", "ready") } };
const HEX_GROUND: KindAbout = { title: "ground", role: "none", attributes: { terrain: attribute("open|woods|village|slow_go", "open"), level: attribute("integer 0..40", 0), smoke: attribute("integer 0..9", 0) } };

export const CATALOGUE: Catalogue = {
    title: "A test of the table",
    text: "",
    selector: "demo",
    sides: [{ id: "blue", title: "Blue brigade" }, { id: "red", title: "Red raiders" }],
    table: [72 * INCH, 48 * INCH],
    metric: false,
    hexes: null,
    secrets: true,
    undo: "agreed",
    kinds: { "demo.element": TANK, "demo.unit": UNIT, "demo.terrain": TERRAIN, "demo.hexed": HEX_UNIT, "demo.ground": HEX_GROUND },
    phases: {},
    actions: { "demo.move": "Move" },
};

/** So many tanks in rows, turn about of either side. */
export function tanks(count: number, columns = 20): Moved[] {
    return Array.from({ length: count }, (_, n) => ({
        entity: n + 1,
        kind: "demo.element",
        label: `${n % 2 === 0 ? "blue" : "red"}-${n + 1}`,
        attributes: { title: n % 3 === 0 ? "medium tank" : n % 3 === 1 ? "rifle team" : "howitzer", side: n % 2 === 0 ? "blue" : "red", at: at(3 + (n % columns) * (66 / columns), 4 + Math.floor(n / columns) * 4), facing: { direction: (n * 37 * 60) % 21_600 }, ...(n % 7 === 0 && { is_under_fire: true }), ...(n % 11 === 10 && { status: "knocked_out" }) },
    }));
}

export const WOOD: Moved = { entity: 900, kind: "demo.terrain", label: "wood", attributes: { title: "the old wood", type: "light woods", shape: { record: { polygon: [at(20, 15), at(32, 14), at(34, 24), at(22, 26)] } } } };

export const event = (text: string, rest: Partial<EventLine> = {}): EventLine => ({ kind: "demo.reported", text: [text], rule: "demo.fire.shoot", ...rest });

type Reply = (params: Record<string, unknown>) => unknown;

/** What a refusal looks like. */
export class Refuse {
    constructor(
        readonly reason: string,
        readonly clause: string | null = null,
    ) {}
}

export class Mock {
    readonly asked: { method: string; params: Record<string, unknown> }[] = [];
    catalogue: Catalogue = CATALOGUE;
    at: Seat = { seat: "sides", sides: ["blue"] };
    game = "g1";
    replies: Record<string, Reply> = {};
    private line: WebSocketRoute | null = null;
    private readonly seqs = new Map<string, number>();
    private readonly wholes = new Map<string, Partial<Change>>();

    /** Answers on a page in place of a server. */
    async on(page: Page): Promise<void> {
        await page.routeWebSocket(/\/ws$/, (line) => {
            this.line = line;
            line.onMessage((text) => this.receive(String(text)));
        });
    }

    /** What a viewer is told when it begins to follow. */
    whole(viewer: string, change: Partial<Change>): void {
        this.wholes.set(viewer, change);
    }

    /** Tells a viewer that something has changed. */
    tell(viewer: string, change: Partial<Change>): void {
        const seq = (this.seqs.get(viewer) ?? 0) + 1;
        this.seqs.set(viewer, seq);
        this.notify("change", { viewer, seq, ...change });
    }

    notify(method: string, params: unknown): void {
        this.line?.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
    }

    /** The line breaks, or is closed with a code. */
    async drop(code?: number): Promise<void> {
        await this.line?.close(code === undefined ? undefined : { code });
    }

    /** What was asked by a name so far. */
    of(method: string): Record<string, unknown>[] {
        return this.asked.filter((one) => one.method === method).map((one) => one.params);
    }

    private receive(text: string): void {
        const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: Record<string, unknown> };
        this.asked.push({ method, params });
        const reply = this.replies[method] ?? this.own(method);
        const result = reply(params);
        if (result === undefined) return;
        const outcome = result instanceof Refuse ? { error: refusal(method, result) } : { result };
        // What is told comes before the reply.
        if (method === "follow") this.follow(params as { viewer: string; have?: { game: string; seq: number } });
        this.line?.send(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
    }

    private own(method: string): Reply {
        const viewer = this.at.seat === "sides" ? this.at.sides[0] : this.at.seat;
        const known: Record<string, unknown> = {
            hello: { protocol: 1, role: this.at.seat === "referee" ? "referee" : "seat", at: this.at, viewer, game: this.game },
            catalogue: this.catalogue,
            follow: true,
            legal: legal([]),
            chart: { rings: [], arcs: [], areas: [] },
            next_param: null,
            submit: { decision: 1, by: "blue", text: "", over: false },
        };
        return () => known[method] ?? new Refuse("nobody knows how");
    }

    private follow({ viewer, have }: { viewer: string; have?: { game: string; seq: number } }): void {
        const seq = this.seqs.get(viewer) ?? 0;
        if (have?.game === this.game && have.seq === seq) return;
        this.notify("change", { viewer, game: this.game, seq, whole: true, ask: { ask: 1, prompt: "wait" }, ...this.wholes.get(viewer) });
    }
}

function refusal(what: string, { reason, clause }: Refuse): object {
    return { code: -32000, message: "the rules do not allow it", data: { trouble: "refusal", what, reason, clause } };
}

export function legal(actions: Action[], rest: Partial<Legal> = {}): Legal {
    return { actions, pass_refused: "not now", done_refused: null, decline: false, take_back: false, ...rest };
}

export function action(id: string, title: string, entity: number, label: string, rest: Partial<Action> & { clause?: string } = {}): Action {
    return { id, title, actor: { entity, label }, refused: null, params: [], ...rest };
}

export const act = (ask: number): Asking => ({ ask, prompt: "act", sides: ["blue"], phase: "demo.moves", title: "Movement" });

/** No change of a sort of things, as a reload tells it. */
export const NONE = { added: [], changed: [], removed: [] };

/** What a reload comes to that changes so much. */
export function reloaded(changes: object = {}): object {
    return { past: "as_always", mods: [], decisions: 0, asked_again: false, changes: { mods: [], rules: NONE, rows: NONE, clauses: NONE, kinds: NONE, declared: NONE, files: [], ...changes } };
}

export function next(name: string, title: string, domain: NextParam["domain"]): NextParam {
    return { name, title, domain };
}

/** A map of hexes with a hill, woods and a village. */
export function hexes(): { catalogue: Catalogue; set: Moved[] } {
    const set: Moved[] = [];
    const name = (column: number, row: number) => `h${String(column).padStart(2, "0")}${String(row).padStart(2, "0")}`;
    const peak = (column: number, row: number) => Math.max(0, 5 - Math.round(Math.hypot(column - 14, (row - 9) * 1.1)));
    for (let column = 1; column <= 24; column++) {
        for (let row = 1; row <= 16; row++) {
            const level = peak(column, row);
            const terrain = Math.hypot(column - 5, row - 5) < 2.4 || (level > 1 && (column + row) % 3 === 0) ? "woods" : column > 19 && row > 11 && (column * row) % 3 !== 0 ? "village" : null;
            if (level === 0 && terrain === null) continue;
            set.push({ entity: 1000 + column * 40 + row, kind: "demo.ground", label: name(column, row), attributes: { level, ...(terrain && { terrain }), ...(column === 9 && row === 9 && { smoke: 2 }) } });
        }
    }
    const unit = (entity: number, label: string, side: string, column: number, row: number): Moved => ({ entity, kind: "demo.hexed", label, attributes: { side, at: { hex: [column, row - Math.floor(column / 2)] } } });
    set.push(unit(1, "m1", "blue", 4, 10), unit(2, "m2", "blue", 4, 10), unit(3, "t72", "red", 14, 9), unit(4, "bmp", "red", 18, 6));
    return { catalogue: { ...CATALOGUE, hexes: "flat", table: [24 * INCH, 16 * INCH] }, set };
}
