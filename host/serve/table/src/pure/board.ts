// What lies on the board: ground, pieces and groups, read from what was told
// of entities by what the catalogue says of their kinds.
import type { Catalogue, Plain } from "../protocol.ts";
import { compass, entityIn, hexName, isState, plain, point, words, type Measure } from "./format.ts";
import { distance, hexAt, hexCentre, hexUnder, middle, pointOf, shapeOf, sideBetween, spotIn, within, type Frame, type Shape, type Spot } from "./geometry.ts";
import { layerOf, lookOf, type Look } from "./ground.ts";
import { textOf, valueOf, type Match, type Seen } from "./match.ts";
import { signOf, type Sign } from "./symbols.ts";

/** A state of a piece in words, and how it is to be taken. */
export type State = { readonly text: string; readonly tone: "bad" | "spent" | "good" | "plain" };

export type Piece = {
    readonly id: number;
    readonly label: string;
    /** What it is, in words. */
    readonly title: string;
    readonly side: string | null;
    readonly at: Spot;
    /** Degrees clockwise from north. */
    readonly facing: number | null;
    readonly group: number | null;
    readonly sign: Sign;
    readonly form: "unit" | "marker";
    readonly isWreck: boolean;
    readonly isCommand: boolean;
    readonly states: readonly State[];
};

export type Area = { readonly id: number; readonly name: string; readonly sort: string; readonly look: Look; readonly shape: Shape; readonly isNamed: boolean };

/** A hex that is not open ground at the level of the map. */
export type Ground = { readonly id: number; readonly at: Spot; readonly name: string; readonly sort: string; readonly look: Look | null; readonly level: number; readonly smoke: number };

export type Group = { readonly id: number; readonly label: string; readonly title: string; readonly side: string | null; readonly states: readonly State[]; readonly members: readonly number[]; readonly at: Spot | null; /** It has pieces, and none of them on the board. */ readonly isAway: boolean };

export type Board = {
    readonly areas: readonly Area[];
    readonly grounds: readonly Ground[];
    readonly pieces: readonly Piece[];
    readonly groups: ReadonlyMap<number, Group>;
    readonly byId: ReadonlyMap<number, Piece>;
};

const WRECK = /^(knocked_out|destroyed|wreck(ed)?|killed|dead|eliminated|burning|out)$/;
const GONE = /^(gone|removed|left)$/;
const BAD = /damaged|immobil|down|pinned|suppress|paraly|shaken|broken|routed|panic|under.fire|fleeing|halted|hurt|disorganis|falter|stunned|disrupted/;
const SPENT = /moved|fired|activated|spent|acted|done|tried|rolled|charged|hasty|counted|rallied/;
const GOOD = /dug.in|hidden|veteran|turret.down|overwatch|hull.down|evading|watch/;

/** Reads pieces, keeping those whose entity did not change: what is drawn of them need not be drawn again. */
export class BoardReader {
    private known = new WeakMap<Seen, Piece | Area | Ground | null>();

    constructor(
        private readonly catalogue: Catalogue,
        private readonly frame: Frame,
        private readonly measure: Measure,
    ) {}

    read(match: Match): Board {
        const areas: Area[] = [];
        const grounds: Ground[] = [];
        const pieces: Piece[] = [];
        for (const seen of match.entities.values()) {
            const found = this.one(seen);
            if (found === null) continue;
            if ("shape" in found) areas.push(found);
            else if ("level" in found) grounds.push(found);
            else pieces.push(found);
        }
        areas.sort((a, b) => layerOf(a.look) - layerOf(b.look) || a.id - b.id);
        const byId = new Map(pieces.map((piece) => [piece.id, piece]));
        return { areas, grounds, pieces, byId, groups: this.groups(match, pieces) };
    }

    private one(seen: Seen): Piece | Area | Ground | null {
        const known = this.known.get(seen);
        if (known !== undefined) return known;
        const found = this.make(seen);
        this.known.set(seen, found);
        return found;
    }

    private make(seen: Seen): Piece | Area | Ground | null {
        const kind = this.catalogue.kinds[seen.kind];
        if (!kind) return null;
        const line = this.frame.isHex ? this.hexLine(seen) : null;
        if (line !== null) return line;
        if (kind.role === "area") return this.area(seen, kind.shape, kind.sort ?? null);
        if (kind.role === "piece") return this.piece(seen, kind.at, kind.facing ?? null, kind.home ?? {});
        return this.ground(seen);
    }

    private area(seen: Seen, shapeName: string, sortName: string | null): Area | null {
        const shape = shapeOf(this.frame, valueOf(this.catalogue, seen, shapeName));
        if (!shape) return null;
        const sort = (sortName && textOf(this.catalogue, seen, sortName)) || this.kindTitle(seen);
        return { id: seen.entity, name: this.nameOf(seen), sort: words(sort), look: lookOf(sort), shape, isNamed: true };
    }

    /** What lies along the side between the hexes `at` and `to`, or through the middles of a list of hexes. */
    private hexLine(seen: Seen): Area | null {
        const spot = (value: Plain | undefined) => spotIn(this.frame, value);
        const about = this.catalogue.kinds[seen.kind]?.attributes ?? {};
        const [at, to] = [spot(valueOf(this.catalogue, seen, "at")), spot(valueOf(this.catalogue, seen, "to"))];
        const side = at && to ? sideBetween(this.frame, at, to) : null;
        const lists = at ? [] : Object.keys(about).map((name) => valueOf(this.catalogue, seen, name)).filter((value) => Array.isArray(value));
        const road = lists.map((list) => list.flatMap((value) => spot(value) ?? [])).find((spots) => spots.length > 1);
        const line = side ?? road;
        if (!line) return null;
        const sort = Object.keys(about).flatMap((name) => (about[name]?.type.includes("|") ? (textOf(this.catalogue, seen, name) ?? []) : []))[0] ?? "";
        const title = this.kindTitle(seen);
        const hasLook = !lookOf(sort).startsWith("other-");
        const half = this.frame.hex / (side ? 20 : 14);
        return { id: seen.entity, name: this.nameOf(seen), sort: words(hasLook ? sort : `${sort} ${title.toLowerCase()}`.trim()), look: lookOf(hasLook ? sort : title), shape: { form: "band", line, half }, isNamed: false };
    }

    private piece(seen: Seen, atName: string, facingName: string | null, home: Record<string, string>): Piece | null {
        const at = spotIn(this.frame, valueOf(this.catalogue, seen, atName));
        if (!at) return null;
        const states = this.states(seen);
        if (this.enums(seen).some((value) => GONE.test(value))) return null;
        const facing = facingName ? valueOf(this.catalogue, seen, facingName) : null;
        const title = textOf(this.catalogue, seen, "title") ?? this.kindTitle(seen);
        const homes = Object.keys(home);
        const form = facingName === null && homes.length === 0 && !/unit|battery|element|stand|craft/i.test(this.kindTitle(seen)) ? "marker" : "unit";
        const own = title === valueOfDefault(this.catalogue, seen, "title") || title === this.kindTitle(seen) ? null : title;
        const group = this.homeOf(seen, home);
        const text = (name: string) => textOf(this.catalogue, seen, name);
        const sort = [this.kindTitle(seen).match(/objective|counter|marker|smoke|mine|lettered/i) ? this.kindTitle(seen) : null, title, text("class"), text("form"), text("system"), text("mobility"), this.kindTitle(seen)];
        return {
            id: seen.entity,
            label: form === "marker" ? (own ?? seen.label) : seen.label,
            title,
            side: this.sideOf(seen),
            at,
            facing: direction(facing),
            group,
            sign: signOf(sort),
            form,
            isWreck: this.enums(seen).some((value) => WRECK.test(value)),
            isCommand: valueOf(this.catalogue, seen, "is_command") === true,
            states,
        };
    }

    /** The group that a piece belongs to. */
    private homeOf(seen: Seen, home: Record<string, string>): number | null {
        return Object.keys(home).map((name) => entityIn(valueOf(this.catalogue, seen, name))).find((id) => id !== null) ?? null;
    }

    /** The groups that pieces belong to, wherever these are. */
    private homes(match: Match): Set<number> {
        const found = new Set<number>();
        for (const seen of match.entities.values()) {
            const kind = this.catalogue.kinds[seen.kind];
            const home = kind?.role === "piece" ? this.homeOf(seen, kind.home ?? {}) : null;
            if (home !== null) found.add(home);
        }
        return found;
    }

    /** A hex map names its ground after column and row: `h0304`. */
    private ground(seen: Seen): Ground | null {
        const found = /^h(\d\d)(\d\d)$/.exec(seen.label);
        if (!this.frame.isHex || !found) return null;
        const at = hexCentre(this.frame, hexAt(Number(found[1]), Number(found[2])));
        const number = (name: string) => {
            const value = valueOf(this.catalogue, seen, name);
            return typeof value === "number" ? value : 0;
        };
        const sort = textOf(this.catalogue, seen, "terrain") ?? textOf(this.catalogue, seen, "type") ?? "open";
        const look = /^(open|clear)$/.test(sort) ? null : lookOf(sort);
        return { id: seen.entity, at, name: seen.label.slice(1), sort: words(sort), look, level: number("level"), smoke: number("smoke") };
    }

    private groups(match: Match, pieces: readonly Piece[]): Map<number, Group> {
        const members = new Map<number, Piece[]>();
        for (const piece of pieces) if (piece.group !== null) members.set(piece.group, [...(members.get(piece.group) ?? []), piece]);
        const groups = new Map<number, Group>();
        const homes = this.homes(match);
        for (const seen of match.entities.values()) {
            const own = members.get(seen.entity);
            if (this.catalogue.kinds[seen.kind]?.role !== "group" && !own) continue;
            const title = textOf(this.catalogue, seen, "title") ?? this.kindTitle(seen);
            const there = own ?? [];
            groups.set(seen.entity, {
                id: seen.entity,
                label: seen.label,
                title,
                side: this.sideOf(seen),
                states: this.states(seen),
                members: there.map((piece) => piece.id),
                at: there.length > 0 ? middle(there.map((piece) => piece.at)) : null,
                isAway: there.length === 0 && homes.has(seen.entity),
            });
        }
        return groups;
    }

    private sideOf(seen: Seen): string | null {
        return textOf(this.catalogue, seen, "side");
    }

    private kindTitle(seen: Seen): string {
        return this.catalogue.kinds[seen.kind]?.title ?? words(seen.kind);
    }

    /** What people call a place: its title, unless that only says what it is. */
    private nameOf(seen: Seen): string {
        const title = textOf(this.catalogue, seen, "title");
        const isBare = title === null || title === valueOfDefault(this.catalogue, seen, "title");
        return isBare ? words(seen.label) : title;
    }

    /** What its enums hold, as far as they are known. */
    private enums(seen: Seen): string[] {
        const about = this.catalogue.kinds[seen.kind]?.attributes ?? {};
        return ["status", "state"].flatMap((name) => (about[name] || seen.attributes[name] !== undefined ? (textOf(this.catalogue, seen, name) ?? []) : []));
    }

    /** What is not as it was at first, in words. */
    states(seen: Seen): State[] {
        const about = this.catalogue.kinds[seen.kind]?.attributes ?? {};
        const states: State[] = [];
        for (const [name, value] of attributesOf(seen)) {
            const one = about[name];
            if (name === "side" || one?.is_bookkeeping || seen.hidden.includes(name) || !isState(one) || same(value, one?.default)) continue;
            const text = stateText(name, value, this.measure);
            if (text !== null) states.push({ text, tone: toneOf(typeof value === "boolean" ? name : `${name} ${value}`) });
        }
        return states;
    }
}

/** The attributes of a thing by their names: the same for whoever was told of them in another order. */
export function attributesOf(seen: Seen): [string, Plain][] {
    return Object.entries(seen.attributes).sort(([a], [b]) => (a < b ? -1 : 1));
}

function valueOfDefault(catalogue: Catalogue, seen: Seen, name: string): Plain | undefined {
    return catalogue.kinds[seen.kind]?.attributes[name]?.default;
}

function same(a: Plain, b: Plain | undefined): boolean {
    return JSON.stringify(a) === JSON.stringify(b ?? null);
}

/** Enums that say by their value alone how a piece stands. */
const STANDING = /^(status|state|confidence|level|order|morale|posture|quality|duty)$/;

/** A state in words; what a piece is equipped with is no state of it. */
function stateText(name: string, value: Plain, measure: Measure): string | null {
    const isMarked = BAD.test(name) || SPENT.test(name) || GOOD.test(name);
    if (typeof value === "boolean") return value && (isMarked || /^(is|was)_/.test(name)) ? words(name) : null;
    if (typeof value !== "string" || value === "none") return null;
    if (STANDING.test(name)) return plain(value, measure);
    return BAD.test(value) || GOOD.test(value) ? `${words(name)} ${plain(value, measure)}` : null;
}

function toneOf(name: string): State["tone"] {
    if (BAD.test(name)) return "bad";
    if (SPENT.test(name)) return "spent";
    if (GOOD.test(name)) return "good";
    return "plain";
}

function direction(value: Plain | undefined): number | null {
    if (value && typeof value === "object" && !Array.isArray(value) && "direction" in value) return (value.direction as number) / 60;
    return null;
}

/** Pieces on one spot lie beside each other, so that each can be seen. */
export function spread(pieces: readonly Piece[], step: number): Map<number, Spot> {
    const stacks = new Map<string, Piece[]>();
    for (const piece of pieces) {
        const key = `${Math.round(piece.at.x / 2)} ${Math.round(piece.at.y / 2)}`;
        stacks.set(key, [...(stacks.get(key) ?? []), piece]);
    }
    const places = new Map<number, Spot>();
    for (const stack of stacks.values()) {
        stack.forEach((piece, at) => {
            const offset = (at - (stack.length - 1) / 2) * step;
            places.set(piece.id, stack.length === 1 ? piece.at : { x: piece.at.x + offset, y: piece.at.y - offset * 0.6 });
        });
    }
    return places;
}

/** Where a piece is, and on which ground, in words. */
export function placeInWords(piece: Piece, board: Board, frame: Frame, measure: Measure): string {
    const where = frame.isHex ? `hex ${hexName(hexUnder(frame, piece.at))}` : `at ${point(pointOf(frame, piece.at), measure)}`;
    return [where, ...groundUnder(board, frame, piece.at)].join(", ");
}

/** What ground lies at a spot, in words; nothing where it is open. */
function groundUnder(board: Board, frame: Frame, spot: Spot): string[] {
    const hexes = frame.isHex ? board.grounds.filter(({ at }) => distance(at, spot) < frame.hex / 2) : [];
    const areas = board.areas.filter(({ isNamed, shape }) => isNamed && within(shape, spot));
    return [...hexes.flatMap(hexInWords), ...areas.map(({ name }) => name)];
}

/** Where a piece looks, in words. */
export function facingInWords({ facing }: Piece): string | null {
    return facing === null ? null : `facing ${compass(facing * 60)}`;
}

/** What a hex of ground is, in words. */
export function hexInWords({ look, sort, level, smoke }: Ground): string[] {
    return [look === null ? null : sort, level > 0 ? `level ${level}` : null, smoke > 0 ? "smoke" : null].filter((part) => part !== null);
}

/** What a screen reader says of a piece, and then where it is and what may be done with it. */
export function spoken(piece: Piece, sideTitle: string | null, group: string | null, ...more: (string | null)[]): string {
    const parts = [piece.label, piece.title !== piece.label ? piece.title : null, sideTitle, group ? `of ${group}` : null, piece.isWreck ? "wreck" : null, ...piece.states.map((state) => state.text), ...more];
    return parts.filter((part) => part !== null).join(", ");
}
