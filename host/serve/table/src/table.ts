// The table as a whole: what was told, what is chosen, what is being done. It
// speaks with the server; the parts on the screen read from it and tell it
// what the player does.
import { type Acting, backTo, begun, isHopeless, judgedAlone, lastChosen, mayGive, onlyChoice, paramsOf, reasonFor, toggled, withGiven, type Judgement } from "./pure/acting.ts";
import { BoardReader, type Piece } from "./pure/board.ts";
import { asksForCards, cardIn, handsOf } from "./pure/cards.ts";
import { count, entityIn, length, point, unitLength, type Measure } from "./pure/format.ts";
import { distance, frameOf, lengthOf, pointOf, spotIn, spotOf, type Spot } from "./pure/geometry.ts";
import { decisionsIn, reloadLines } from "./pure/log.ts";
import { changed, firstKnown, fitOf, isAsked, isSameEvent, lineOfEvent, NO_MATCH, numberNow, ofView, sidesAsked, withEarlier, type Match } from "./pure/match.ts";
import { printable } from "./pure/printable.ts";
import { choosingOf, type Chosen } from "./pure/rules.ts";
import { huesOf } from "./pure/symbols.ts";
import { courseOf } from "./pure/versions.ts";
import { Line, Refused } from "./line.ts";
import { EMPTY_BOARD, NO_DRAFT, START, type Kept, type State, type Toast } from "./state.ts";
import type { Around, BotSort, Branched, CaseRequest, Catalogue, Change, Action, Depth, Input, KeptAsCase, KeptTest, Legal, NextParam, Odds, Outlook, Past, Plain, ProposalEnd, Reloaded, TestRequest, Trouble, UndoProposal, View, Welcome } from "./protocol.ts";
import { linkTo, newKey, roomOfPage, tokenOfPage } from "./seat.ts";

/** How long a route may rest before the rules are asked about it. */
const JUDGE_AFTER = 70;
/** Of more choices than this only the first are looked into. */
const MOST_OUTLOOKS = 24;
/** What one side has looked for, measured and been told is not for the next. */
const NOTHING_LEFT = { search: "", isMeasuring: false, measured: [], pointed: null, spot: null, refusal: null, toasts: [], odds: null, outlooks: {} };
/** Of so many actions it is looked up which cards they take. */
const MOST_CARD_ACTIONS = 12;
const NO_CARDS = { cardUses: new Map<string, Action[]>(), chosenCard: null };
/** Of so many events is asked at once that came before those that are known. */
const MOST_EARLIER = 300;
const TOAST_FOR = 9000;
const TOAST_WITH_ACTION_FOR = 60_000;

export class Table {
    private current: State = START;
    private readonly listeners = new Set<() => void>();
    private readonly line: Line;
    private readonly token: string | null;
    private readonly matches = new Map<string, Match>();
    private reader: BoardReader | null = null;
    /** As whom this seat looks, if it does not say. */
    private ownViewer = "";
    private askSeen = "";
    private round = 0;
    private judging = 0;
    private nextToast = 1;
    private dragged: Spot | null = null;

    constructor() {
        this.token = tokenOfPage();
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        this.line = new Line(`${scheme}://${location.host}/ws${roomOfPage()}`, {
            greet: () => this.greet(),
            notice: (method, params) => this.noticed(method, params),
            state: (line) => this.set({ line }),
        });
    }

    get state(): State {
        return this.current;
    }

    listen(listener: () => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    start(): void {
        if (this.token === null) this.set({ line: "refused" });
        else this.line.open();
    }

    private set(some: Partial<State>): void {
        this.current = { ...this.current, ...some };
        for (const listener of this.listeners) listener();
    }

    // Coming to the table.

    private async greet(): Promise<void> {
        const welcome = await this.line.greetWith<Welcome>("hello", { token: this.token });
        const sides = welcome.at.seat === "sides" ? welcome.at.sides : [];
        this.ownViewer = welcome.viewer;
        const isFirst = this.current.viewer === "";
        const viewer = this.current.viewer || welcome.viewer;
        this.set({ role: welcome.role, sides, viewer });
        if (welcome.game === null) return;
        const all = sides.length > 1 ? sides : [viewer];
        await Promise.all([this.loadCatalogue(isFirst && sides.length > 1), ...all.map((one) => this.follow(one))]);
        const asked = sides.find((side) => isAsked(this.matches.get(side)?.ask ?? null));
        if (isFirst && this.current.handOver === viewer && asked !== undefined) this.set({ handOver: asked });
        if (!isFirst && this.current.rules !== null) void this.lookUpRulesAgain();
    }

    /** With `isShared` nobody has said yet whose eyes look at this screen. */
    private async loadCatalogue(isShared = false): Promise<void> {
        const catalogue = await this.line.greetWith<Catalogue>("catalogue", { viewer: this.current.viewer });
        const measure: Measure = catalogue.hexes ? "hex" : catalogue.metric ? "cm" : "in";
        const frame = frameOf(catalogue.table, catalogue.hexes);
        this.reader = new BoardReader(catalogue, frame, measure);
        document.title = printable(`${catalogue.title} · Houserule`);
        const handOver = isShared && catalogue.secrets ? this.current.viewer : this.current.handOver;
        this.set({ catalogue, measure, frame, hues: huesOf(catalogue.sides), board: this.reader.read(this.shownMatch()), handOver });
    }

    private follow(viewer: string): Promise<unknown> {
        const match = this.matches.get(viewer);
        const have = match?.game ? { game: match.game, seq: match.seq } : undefined;
        return this.line.greetWith("follow", { viewer, events: "lines", ...(have && { have }) });
    }

    // What the server tells.

    private noticed(method: string, params: unknown): void {
        if (method === "change") this.changed(params as Change);
        else if (method === "reloaded") void this.reloaded(params as Reloaded);
        else if (method === "fault") this.faulted(params as Trouble);
        else if (method === "revoked") this.line.end("revoked");
        else if (method === "undo") this.undoProposed(params as { viewer: string; wish: UndoProposal | null });
    }

    private changed(change: Change): void {
        // Of the viewer that the server named in its greeting it does not say so.
        const viewer = change.viewer ?? this.ownViewer;
        const match = this.matches.get(viewer) ?? NO_MATCH;
        const fit = fitOf(match, change);
        if (fit === "old") return;
        if (fit === "gap") return void this.line.ask("follow", { viewer, events: "lines" });
        const after = changed(match, change);
        const isNewGame = match.game !== null && after.game !== match.game;
        const isTakenBack = !change.whole && change.timeline !== undefined;
        this.matches.set(viewer, after);
        if (isNewGame && viewer === this.current.viewer) void this.newGame();
        if (viewer === this.current.viewer) {
            this.show(after, isTakenBack);
            if (change.timeline !== undefined) this.otherCourse(match, after);
            if (change.wish_ended) this.proposalEnded(change.wish_ended, match.proposal);
            if (change.bots) this.playedBy(change.bots);
        }
        this.offerHandOver();
    }

    /** Another referee may have given a side to a bot, or back to people. */
    private playedBy(bots: Record<string, BotSort>): void {
        const { catalogue } = this.current;
        if (!catalogue) return;
        const sides = catalogue.sides.map((side) => ({ ...side, bot: bots[side.id] ?? null }));
        this.set({ catalogue: { ...catalogue, sides } });
    }

    private async newGame(): Promise<void> {
        this.set({ past: null, chosen: null, acting: null, why: null, highlighted: [] });
        await this.loadCatalogue();
    }

    private show(match: Match, isTakenBack: boolean): void {
        const board = this.current.past ? this.current.board : (this.reader?.read(match) ?? EMPTY_BOARD);
        this.set({ match, board });
        const { chosen, past } = this.current;
        if (chosen !== null && past === null && !match.entities.has(chosen)) this.choose(null);
        if (isTakenBack) this.toast("info", "Play was taken back", []);
        const ask = `${match.game} ${match.ask?.ask} ${this.current.viewer}`;
        if (ask !== this.askSeen) this.askedAnew(ask);
        else if (this.current.acting === null && isAsked(match.ask)) void this.lookUp();
    }

    /** What happened may be another now: what was asked about it, and the moment that is looked at. */
    private otherCourse(before: Match, after: Match): void {
        const { why, past, search } = this.current;
        if (search.trim() !== "") void this.knownFrom(1);
        if (why !== null && !isSameEvent(before, after, why.event)) this.set({ why: null, highlighted: [] });
        if (past !== null) void this.lookBack(past.at);
    }

    private askedAnew(ask: string): void {
        this.askSeen = ask;
        this.judging++;
        this.set({ acting: null, draft: NO_DRAFT, judgement: { verdict: "none" }, outlooks: {}, refusal: null, allowed: null, own: null, odds: null, isSending: false, ...NO_CARDS });
        void this.lookUp();
    }

    /** How what was asked to be taken back ended; that it was done is told by what is gone. */
    private proposalEnded({ outcome, by }: ProposalEnd, proposal: UndoProposal | null): void {
        const name = (side: string | null | undefined) => this.current.catalogue?.sides.find((one) => one.id === side)?.title ?? side ?? "";
        if (outcome === "declined") this.toast("info", `${name(by)} declines to take play back`, []);
        else if (outcome === "withdrawn" && by !== this.current.viewer) this.toast("info", `${name(by)} does not ask to take play back any more`, []);
        else if (outcome === "lapsed" && proposal !== null) this.toast("info", "The game has gone on: nothing is taken back", []);
    }

    private undoProposed({ viewer, wish: proposal }: { viewer: string; wish: UndoProposal | null }): void {
        const match = this.matches.get(viewer);
        if (!match) return;
        const after = { ...match, proposal };
        this.matches.set(viewer, after);
        if (viewer === this.current.viewer) this.set({ match: after });
    }

    private async reloaded(reloaded: Reloaded): Promise<void> {
        const lines = reloadLines(reloaded, this.current.catalogue);
        const { difference } = reloaded;
        this.set({ faults: [], versions: difference ? { difference, before: null, after: null } : null });
        const action = difference ? { title: "Show both", run: () => void this.showVersions() } : undefined;
        this.toast("good", "The rules have changed", lines.length > 0 ? lines : ["Nothing that this game uses is different"], action);
        await this.loadCatalogue();
        if (this.current.rules !== null) void this.lookUpRules();
        void this.lookUp();
        void this.lookAround();
        this.lookAgain();
    }

    /** What was told by other rules is looked up anew: of a moment, of an event, of choices. */
    private lookAgain(): void {
        const { acting, draft, past, why } = this.current;
        if (past !== null) void this.lookBack(past.at);
        if (why !== null) void this.lookUpWhy(why.event);
        if (acting === null || acting.next === "asking") return;
        this.set({ outlooks: {} });
        if (acting.next === "complete") this.completed(acting);
        else if (draft.points.length > 0) this.draftPoints(draft.points);
        else void this.lookUpOutlooks(acting);
    }

    // Rules that change: what they were, what they are, and choosing others.

    /** Both courses of the game side by side, as the last change of the rules left them. */
    async showVersions(): Promise<void> {
        const difference = this.current.versions?.difference;
        if (!difference || !this.reader) return;
        try {
            const view = await this.line.ask<View>("view", { viewer: this.current.viewer, at: difference.at });
            const then = ofView(view, this.current.match);
            const board = (which: "before" | "after") => this.reader?.read(courseOf(then, difference, which)) ?? EMPTY_BOARD;
            if (this.current.versions?.difference === difference) this.set({ versions: { difference, before: board("before"), after: board("after") } });
        } catch (error) {
            if (error instanceof Refused) this.toast("bad", "That moment cannot be shown", [error.reason]);
        }
    }

    closeVersions(): void {
        const { versions } = this.current;
        if (versions) this.set({ versions: { ...versions, before: null, after: null } });
    }

    async lookUpRules(): Promise<void> {
        const rules = await this.line.ask("rules", {});
        this.set({ rules });
    }

    /** Nobody tells of rules that changed while the line was broken; what is ticked stays where none has. */
    private async lookUpRulesAgain(): Promise<void> {
        const rules = await this.line.ask("rules", {});
        if (JSON.stringify(rules) !== JSON.stringify(this.current.rules)) this.set({ rules });
    }

    async chooseRules(chosen: Chosen, past: Past): Promise<void> {
        if (this.current.isChoosing) return;
        this.set({ isChoosing: true });
        try {
            const reloaded = await this.line.ask("choose", choosingOf(chosen, past));
            // What is looked up now may not come, if the line breaks.
            this.set({ isChoosing: false });
            await this.reloaded(reloaded);
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            const faults = error.trouble?.trouble === "faults" ? error.trouble.faults.map((fault) => fault.message) : [error.reason];
            this.toast("bad", "The rules stay as they are", faults.slice(0, 4));
        }
        this.set({ isChoosing: false });
    }

    /** The rules as they are in their files now. */
    async takeOver(): Promise<void> {
        const reloaded = await this.rule("reload", { past: "as_always" });
        if (reloaded) await this.reloaded(reloaded as Reloaded);
    }

    // What a referee keeps and tries.

    /** Keeps one moment by the number of its event, or the whole game. */
    async keepAsTest(id: string, title: string, event: number | null): Promise<void> {
        this.set({ kept: null, isKeeping: true });
        const called = { id, ...(title && { title }) };
        const kept = event === null ? await this.keepGame(called) : await this.keepMoment({ ...called, event });
        this.set({ kept, isKeeping: false });
    }

    private async keepGame(request: TestRequest): Promise<Kept | null> {
        const kept = (await this.rule("as_test", request)) as KeptTest | null;
        return kept && { path: kept.path, text: kept.text, words: `${count(kept.decisions, "decision")} kept.` };
    }

    private async keepMoment(request: CaseRequest): Promise<Kept | null> {
        const kept = (await this.rule("as_case", request)) as KeptAsCase | null;
        if (!kept) return null;
        const sets = kept.changes === 0 ? "nothing but the scenario" : `the scenario and ${count(kept.changes, "change")}`;
        const fails = kept.cites.length === 0 ? "" : ` It fails without ${count(kept.cites.length, "clause")} of the rules.`;
        return { path: kept.path, text: kept.text, words: `Kept with ${sets}.${fails}` };
    }

    /** A game that goes on beside this one, from the moment that is looked at. */
    async branch(): Promise<void> {
        const at = this.current.past?.at;
        const branched = (await this.rule("branch", at === undefined ? {} : { at })) as Branched | null;
        if (!branched) return;
        const one = { link: linkTo(branched.room, branched.token), text: `From decision ${branched.decisions} on` };
        this.set({ branches: [...this.current.branches, one] });
    }

    /** Who plays a side: a bot of that kind, or people. */
    async setBot(side: string, bot: string | null): Promise<void> {
        await this.rule("set_bot", { side, bot });
        // Also where it was refused: what is shown is what holds.
        await this.loadCatalogue();
    }

    private faulted(trouble: Trouble): void {
        if (trouble.trouble === "faults") this.set({ faults: trouble.faults });
        else this.toast("bad", "The rules that were saved are broken", ["The game goes on by the rules before"]);
    }

    // Whose eyes, and whose hands.

    private offerHandOver(): void {
        const { viewer, sides, match } = this.current;
        const isToAnswer = match.proposal?.waiting_for.includes(viewer) ?? false;
        if (sides.length < 2 || isAsked(match.ask) || isToAnswer) return;
        const next = sides.find((side) => side !== viewer && isAsked(this.matches.get(side)?.ask ?? null));
        if (next !== undefined) this.handOverTo(next);
    }

    /** Another side at this screen has something to say. */
    handOverTo(side: string): void {
        if (this.current.catalogue?.secrets) this.set({ handOver: side });
        else this.sitDownAs(side);
    }

    /** The screen is in the hands of another side from now on. */
    sitDownAs(viewer: string): void {
        const match = this.matches.get(viewer);
        if (!match) return;
        this.set({ viewer, handOver: null, past: null, chosen: null, acting: null, why: null, highlighted: [], around: null, allowed: null, own: null, ...NO_CARDS, ...NOTHING_LEFT });
        this.show(match, false);
    }

    // What may be done.

    private async lookUp(): Promise<void> {
        const round = ++this.round;
        const { match, chosen } = this.current;
        const side = this.sideToAct();
        if (side === null) return this.set({ allowed: null, own: null });
        try {
            const allowed = await this.line.ask<Legal>("legal", { side, allowed: true });
            if (round !== this.round || match.ask?.ask !== this.current.match.ask?.ask) return;
            this.set({ allowed });
            void this.lookUpCards(side, allowed);
            if (chosen !== null) void this.lookUpChosen();
        } catch (error) {
            this.failed(error);
        }
    }

    /** Which cards of one's own may be used now, and for what. */
    private async lookUpCards(side: string, allowed: Legal): Promise<void> {
        const { match, catalogue, measure } = this.current;
        const held = new Set(catalogue ? handsOf(match, catalogue, measure).flatMap((hand) => (hand.side === side ? (hand.cards ?? []) : [])) : []);
        const asking = held.size === 0 ? [] : allowed.actions.filter((action) => !action.refused && asksForCards(action.params[0]?.type)).slice(0, MOST_CARD_ACTIONS);
        const uses = new Map<string, Action[]>();
        for (const action of asking) {
            for (const card of await this.cardsFor(side, action)) if (held.has(card)) uses.set(card, [...(uses.get(card) ?? []), action]);
        }
        if (allowed !== this.current.allowed) return;
        const { chosenCard } = this.current;
        this.set({ cardUses: uses, chosenCard: chosenCard !== null && uses.has(chosenCard) ? chosenCard : null });
    }

    /** The texts among which an action asks to choose first. */
    private async cardsFor(side: string, action: Action): Promise<string[]> {
        try {
            const next = await this.line.ask("next_param", { side, action: action.id, actor: actorOf(action), params: {} });
            if (next?.domain.domain !== "choices" && next?.domain.domain !== "several") return [];
            return next.domain.choices.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
        } catch {
            return [];
        }
    }

    /** Whether a card can be given for what is asked. */
    asksCard(card: string): boolean {
        const domain = this.askedDomain();
        return (domain?.domain === "choices" || domain?.domain === "several") && cardIn(domain.choices, card) !== undefined;
    }

    /** A card of one's own is what is asked for, or its orders are shown. */
    pressCard(card: string, isPicked: boolean): void {
        const domain = this.askedDomain();
        const choice = domain?.domain === "choices" || domain?.domain === "several" ? cardIn(domain.choices, card) : undefined;
        if (choice && domain?.domain === "choices") this.give(choice.value, choice.label);
        else if (choice) this.toggle(choice.value, isPicked);
        else if (this.current.cardUses.has(card)) this.set({ chosenCard: this.current.chosenCard === card ? null : card });
    }

    /** The side of this screen that must act or react now. */
    sideToAct(): string | null {
        const { match, sides, past, handOver } = this.current;
        const { ask } = match;
        if (past || handOver || !ask || (ask.prompt !== "act" && ask.prompt !== "react")) return null;
        return sidesAsked(ask).find((side) => sides.includes(side) && (sides.length === 1 || side === this.current.viewer)) ?? null;
    }

    private async lookUpChosen(): Promise<void> {
        const { chosen, board } = this.current;
        const side = this.sideToAct();
        if (chosen === null || side === null) return this.set({ own: null });
        const group = board.byId.get(chosen)?.group ?? null;
        const actors = [chosen, ...(group === null ? [] : [group])];
        try {
            const found = await Promise.all(actors.map((actor) => this.line.ask<Legal>("legal", { side, actor })));
            const first = found[0];
            if (!first || chosen !== this.current.chosen) return;
            this.set({ own: { ...first, actions: found.flatMap((legal) => legal.actions) } });
        } catch (error) {
            this.failed(error);
        }
    }

    private async lookAround(): Promise<void> {
        const { chosen, viewer, past } = this.current;
        this.set({ around: null });
        if (chosen === null || past) return;
        try {
            const around = await this.line.ask<Around>("chart", { viewer, piece: chosen });
            if (chosen === this.current.chosen) this.set({ around });
        } catch {
            // A mod need not say what is drawn around a piece.
        }
    }

    // Choosing.

    choose(entity: number | null): void {
        if (entity === this.current.chosen) return;
        this.set({ chosen: entity, own: null, refusal: null, around: null });
        void this.lookUpChosen();
        void this.lookAround();
    }

    point(entity: number | null): void {
        if (entity !== this.current.pointed) this.set({ pointed: entity });
    }

    /** Shows where a choice lies on the board. */
    showSpot(spot: Spot | null): void {
        if (spot !== this.current.spot) this.set({ spot });
    }

    highlight(entities: readonly number[]): void {
        this.set({ highlighted: entities });
    }

    /** A click on a piece: it is what is asked for, or it is chosen. */
    press(entity: number): void {
        if (this.giveEntity(entity)) return;
        const { acting } = this.current;
        if (acting && typeof acting.next !== "string" && (acting.next.domain.domain === "place" || acting.next.domain.domain === "route")) return;
        this.choose(entity);
    }

    private giveEntity(entity: number): boolean {
        const domain = this.askedDomain();
        if (!domain || (domain.domain !== "choices" && domain.domain !== "several")) return false;
        const group = this.current.board.byId.get(entity)?.group ?? null;
        const of = (id: number) => domain.choices.find((choice) => entityIn(choice.value) === id);
        const choice = of(entity) ?? (group === null ? undefined : of(group));
        if (!choice) return false;
        if (domain.domain === "choices") this.give(choice.value, choice.label);
        else this.toggle(choice.value);
        return true;
    }

    /** What is asked at this moment: of an action, or by a question. */
    askedDomain(): NextParam["domain"] | null {
        const { acting, match, viewer, past } = this.current;
        if (past) return null;
        if (acting) return typeof acting.next === "string" ? null : acting.next.domain;
        if (match.ask?.prompt !== "answer") return null;
        return match.ask.question.asked.find((asked) => asked.side === viewer || this.current.sides.includes(asked.side))?.domain ?? null;
    }

    /** Takes a choice into the list that is put together, or out of it. */
    toggle(value: Plain, isOn?: boolean): void {
        const domain = this.askedDomain();
        if (domain?.domain !== "several") return;
        this.set({ draft: { ...this.current.draft, list: toggled(this.current.draft.list, value, domain.max, isOn) } });
    }

    /** A place or way that the rules suggest. */
    draftCandidate(given: readonly [number, number] | readonly (readonly [number, number])[]): void {
        const points = (typeof given[0] === "number" ? [given] : given) as readonly (readonly [number, number])[];
        this.draftPoints(points.map((point) => spotOf(this.current.frame, point)));
    }

    /** Where a piece is being dragged to; it is drawn as soon as the rules ask for it. */
    dragTo(spot: Spot): void {
        const domain = this.askedDomain();
        this.dragged = spot;
        if (domain?.domain === "route" || domain?.domain === "place") this.draftPoints([spot]);
    }

    /** A place among the choices, on a map of hexes or by its point. */
    giveSpot(spot: Spot): boolean {
        const domain = this.askedDomain();
        const { frame } = this.current;
        if (domain?.domain !== "choices" && domain?.domain !== "several") return false;
        const reach = frame.isHex ? frame.hex / 2 : 12;
        const choice = domain.choices.find((one) => {
            const at = spotIn(frame, one.value);
            return at !== null && distance(at, spot) < reach;
        });
        if (!choice) return false;
        if (domain.domain === "choices") this.give(choice.value, choice.label);
        else this.toggle(choice.value);
        return true;
    }

    /** Moves the point that is being drawn by a step; nothing if none is. */
    nudge(towards: "up" | "down" | "left" | "right", isFine: boolean): boolean {
        const domain = this.askedDomain();
        if (domain?.domain !== "place" && domain?.domain !== "route") return false;
        const { frame, draft, chosen, board, measure } = this.current;
        const own = chosen === null ? undefined : board.byId.get(chosen)?.at;
        const from = draft.points.at(-1) ?? this.routeStart() ?? own ?? { x: frame.bounds.w / 2, y: frame.bounds.h / 2 };
        const step = unitLength(measure) * (isFine ? 0.1 : 1);
        const [dx, dy] = { up: [0, -step], down: [0, step], left: [-step, 0], right: [step, 0] }[towards] as [number, number];
        const clamp = (n: number, most: number) => Math.min(most, Math.max(0, n));
        const to = { x: clamp(from.x + dx, frame.bounds.w), y: clamp(from.y + dy, frame.bounds.h) };
        this.draftPoints([...draft.points.slice(0, -1), to]);
        return true;
    }

    draftNumber(number: number | null): void {
        this.set({ draft: { ...this.current.draft, number } });
    }

    /** What is drawn on the board is put to the rules, once it rests. */
    draftPoints(points: readonly Spot[]): void {
        this.set({ draft: { ...this.current.draft, points }, refusal: null });
        const judging = ++this.judging;
        if (points.length === 0) return this.set({ judgement: { verdict: "none" }, outlooks: {} });
        this.set({ judgement: { verdict: "asking" } });
        setTimeout(() => void (judging === this.judging && this.judge(judging)), JUDGE_AFTER);
    }

    private async judge(judging: number): Promise<void> {
        const { acting } = this.current;
        const value = this.draftValue();
        if (value === null) return;
        if (!acting || typeof acting.next === "string") {
            const domain = this.askedDomain();
            return this.set({ judgement: domain ? judgedAlone(domain, value) : { verdict: "none" } });
        }
        const params = { ...paramsOf(acting.given), [acting.next.name]: value };
        let judgement: Judgement = { verdict: "good" };
        try {
            await this.line.ask("next_param", { side: acting.side, action: acting.action.id, actor: actorOf(acting.action), params });
        } catch (error) {
            if (error instanceof Refused) judgement = { verdict: "bad", reason: reasonFor(acting, error.reason), clause: error.clause };
        }
        if (judging !== this.judging) return;
        if (judgement.verdict !== "good") return this.set({ judgement, outlooks: {} });
        this.set({ judgement });
        const outlook = await this.outlookOf(acting, params);
        if (judging === this.judging) this.set({ outlooks: outlook ? { drawn: outlook } : {} });
    }

    /** What a player should know of an action with these parameters; nothing where the rules say nothing. */
    private async outlookOf(acting: Acting, params: Record<string, Plain>): Promise<Outlook | null> {
        try {
            return await this.line.ask<Outlook | null>("outlook", { side: acting.side, action: acting.action.id, actor: actorOf(acting.action), params });
        } catch {
            return null;
        }
    }

    /** Looks up what the rules say of each thing there is to choose, one after another. */
    private async lookUpOutlooks(acting: Acting): Promise<void> {
        if (typeof acting.next === "string" || acting.next.domain.domain !== "choices") return;
        const { name, domain } = acting.next;
        for (const { value } of domain.choices.slice(0, MOST_OUTLOOKS)) {
            const outlook = await this.outlookOf(acting, { ...paramsOf(acting.given), [name]: value });
            if (this.current.acting !== acting) return;
            if (outlook) this.set({ outlooks: { ...this.current.outlooks, [JSON.stringify(value)]: outlook } });
        }
    }

    /** What was drawn, as a value of the parameter that is asked. */
    draftValue(): Plain | null {
        const domain = this.askedDomain();
        const { draft, frame } = this.current;
        if (domain?.domain === "place") {
            const spot = draft.points.at(-1);
            return spot ? { point: pointOf(frame, spot) } : null;
        }
        if (domain?.domain === "route") return draft.points.length > 0 ? draft.points.map((spot) => ({ point: pointOf(frame, spot) })) : null;
        return null;
    }

    /** What was drawn, in words: a place, or how far and where to. */
    private drawnText(): string {
        const { draft, frame, measure } = this.current;
        const end = draft.points.at(-1);
        if (!end) return "as drawn";
        const place = point(pointOf(frame, end), measure);
        return this.routeStart() ? `${length(this.routeLength(), measure)} to ${place}` : place;
    }

    /** Where a route that is being drawn starts. */
    routeStart(): Spot | null {
        const domain = this.askedDomain();
        return domain?.domain === "route" ? spotOf(this.current.frame, domain.from) : null;
    }

    routeLength(): number {
        const start = this.routeStart();
        return start ? lengthOf([start, ...this.current.draft.points]) : 0;
    }

    // Acting.

    /** Begins an action; with the card that is given first, if one is. */
    async begin(action: Action, card?: string): Promise<void> {
        const side = this.sideToAct();
        if (side === null || this.current.isSending) return;
        const actor = entityIn(action.actor);
        // Of a group none is chosen: the orders of one would stand there for those of all.
        if (actor !== null && this.current.board.byId.has(actor)) this.choose(actor);
        this.dragged = null;
        this.set({ acting: begun(action, side, this.current.match.ask?.prompt === "react"), draft: NO_DRAFT, judgement: { verdict: "none" }, refusal: null, odds: null });
        await this.askNext(action.params.length === 0);
        if (card !== undefined && this.current.acting?.action === action) this.giveCard(card, this.current.acting);
    }

    /** The card with which an action was begun: also where there was no other to choose it was chosen. */
    private giveCard(card: string, acting: Acting): void {
        const [first, ...more] = acting.given;
        if (first === undefined) this.pressCard(card, false);
        else if (more.length === 0 && first.value === card && !this.current.isCareful) this.confirm();
    }

    /** Looks up what is asked next, and gives what has no choice. */
    private async askNext(mayDo: boolean): Promise<void> {
        const { acting } = this.current;
        if (!acting) return;
        try {
            const next = await this.line.ask("next_param", { side: acting.side, action: acting.action.id, actor: actorOf(acting.action), params: paramsOf(acting.given) });
            if (this.current.acting !== acting) return;
            if (next === null) return mayDo && !this.current.isCareful ? await this.perform(acting) : this.completed(acting);
            if (isHopeless(next.domain)) return this.set({ acting: { ...acting, next }, refusal: { reason: "There is nothing to choose here.", clause: null } });
            const asked = { ...acting, next };
            const only = onlyChoice(next.domain);
            this.set({ acting: only ? withGiven(asked, only.value, only.label, true) : asked, draft: NO_DRAFT, judgement: { verdict: "none" }, outlooks: {} });
            if (only) return await this.askNext(false);
            void this.lookUpOutlooks(asked);
            const isDrawn = next.domain.domain === "route" || next.domain.domain === "place";
            if (isDrawn && this.dragged) this.draftPoints([this.dragged]);
        } catch (error) {
            this.failed(error, () => this.set({ acting: acting.given.length > 0 ? backTo(acting, Math.max(0, lastChosen(acting.given))) : null }));
        }
    }

    private completed(acting: Acting): void {
        this.set({ acting: { ...acting, next: "complete" } });
        void this.lookUpOdds(acting);
    }

    private async lookUpOdds(acting: Acting): Promise<void> {
        this.set({ odds: "asking" });
        const mine = () => this.current.acting?.action === acting.action && this.current.acting.next === "complete";
        const outlook = await this.outlookOf(acting, paramsOf(acting.given));
        if (outlook?.odds) return mine() ? this.set({ odds: outlook.odds }) : undefined;
        try {
            const odds = await this.line.ask<Odds>("odds", { viewer: acting.side, of: { input: inputOf(acting) } });
            // Where all comes out in one way, only who asked for the chances wants to read so.
            const least = this.current.isCareful ? 1 : 2;
            if (mine()) this.set({ odds: odds.outcomes.length >= least ? odds : null });
        } catch (error) {
            // Not every action has odds that a side may know: that is said to who waits for them.
            const isWanted = this.current.isCareful && error instanceof Refused;
            if (mine()) this.set({ odds: isWanted ? { reason: error.reason } : null });
        }
    }

    /** Whether actions wait for a last word once they are complete. */
    setCareful(isCareful: boolean): void {
        this.set({ isCareful });
    }

    /** Gives a value for what is asked: of an action, or by a question. */
    give(value: Plain, label: string): void {
        const { acting, match } = this.current;
        if (this.current.isSending) return;
        if (acting && typeof acting.next !== "string") {
            this.judging++;
            this.set({ acting: withGiven(acting, value, label), draft: NO_DRAFT, judgement: { verdict: "none" }, outlooks: {}, refusal: null });
            void this.askNext(true);
        } else if (match.ask?.prompt === "answer") {
            const { question } = match.ask;
            const by = question.asked.find((asked) => asked.side === this.current.viewer) ?? question.asked[0];
            if (by) void this.submit({ input: "answer", by: by.side, question: question.id, value });
        }
    }

    giveDrawn(): void {
        const value = this.draftValue();
        if (value === null || !mayGive(this.current.judgement)) return;
        this.give(value, this.drawnText());
    }

    confirm(): void {
        const { acting } = this.current;
        if (acting?.next === "complete") void this.perform(acting);
    }

    /** One step back: the last parameter, or out of the action. */
    back(to?: number): void {
        const { acting } = this.current;
        if (!acting) return;
        const at = to ?? lastChosen(acting.given);
        if (at < 0) return this.cancel();
        this.set({ acting: backTo(acting, at), draft: NO_DRAFT, judgement: { verdict: "none" }, outlooks: {}, refusal: null });
        void this.askNext(false);
    }

    cancel(): void {
        this.judging++;
        this.dragged = null;
        this.set({ acting: null, draft: NO_DRAFT, judgement: { verdict: "none" }, outlooks: {}, refusal: null, odds: null });
    }

    private perform(acting: Acting): Promise<void> {
        return this.submit(inputOf(acting));
    }

    stop(input: "pass" | "done" | "take_back"): void {
        const by = this.sideToAct();
        if (by !== null) void this.submit({ input, by });
    }

    decline(standing: boolean): void {
        const by = this.sideToAct();
        if (by !== null) void this.submit({ input: "decline", by, standing });
    }

    private async submit(input: Input): Promise<void> {
        this.dragged = null;
        const { match, viewer } = this.current;
        if (this.current.isSending) return;
        this.set({ isSending: true, refusal: null });
        const key = newKey();
        try {
            await this.line.ask("submit", () => ({ ask: numberNow(match, this.matches.get(viewer) ?? match), key, input }));
            this.set({ isSending: false, acting: null, draft: NO_DRAFT });
            void this.lookUp();
        } catch (error) {
            this.set({ isSending: false });
            if (error instanceof Refused && error.code === -32002) this.toast("info", "Something else must be decided by now", []);
            this.failed(error, () => this.current.acting && this.back());
        }
    }

    private failed(error: unknown, after?: () => void): void {
        if (!(error instanceof Refused)) throw error;
        if (error.trouble?.trouble === "faults") this.set({ faults: error.trouble.faults });
        const reason = reasonFor(this.current.acting, error.reason);
        after?.();
        if (error.code !== -32002) this.set({ refusal: { reason, clause: error.clause } });
    }

    // Taking back.

    async undo(): Promise<void> {
        const isReferee = this.current.role === "referee";
        try {
            const undone = await this.line.ask("undo", { by: isReferee ? "referee" : this.current.viewer });
            if (undone.undo === "proposed") this.toast("info", "You have asked to take play back", ["The others must agree."]);
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            if (!isReferee || !(await this.undoLast())) this.toast("bad", "Play cannot be taken back", [error.reason]);
        }
    }

    /** Takes back the last decision of all: also where no people have decided, and a bot has. */
    private async undoLast(): Promise<boolean> {
        try {
            const { decisions } = await this.line.ask("standing", { viewer: "referee" });
            if (decisions > 0) await this.line.ask("undo", { by: "referee", keep: decisions - 1 });
            return decisions > 0;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            return false;
        }
    }

    /** Agrees to what another side asks, as it was read. */
    async agreeToUndo(number: number): Promise<void> {
        try {
            await this.line.ask("undo", { by: this.current.viewer, number });
        } catch (error) {
            if (error instanceof Refused) this.toast("bad", "Play cannot be taken back", [error.reason]);
        }
    }

    /** Declines what another side asks, or asks no longer. */
    async declineUndo(number: number): Promise<void> {
        try {
            await this.line.ask("decline_undo", { by: this.current.viewer, number });
        } catch (error) {
            if (error instanceof Refused) this.toast("info", "That was over already", [error.reason]);
        }
    }

    /** A ruling of the referee. */
    async rule(method: string, params: object = {}): Promise<unknown> {
        try {
            return await this.line.ask<unknown>(method, params);
        } catch (error) {
            if (error instanceof Refused) this.toast("bad", "That was not done", [error.reason]);
            return null;
        }
    }

    // Looking back, and asking why.

    /** To the decision before or after the moment that is shown. */
    async stepBack(by: -1 | 1): Promise<void> {
        const { match, past } = this.current;
        const at = past?.at ?? (match.events.at(-1)?.number ?? 0);
        const next = () => {
            const stops = decisionsIn(this.current.match.events);
            return by < 0 ? stops.findLast((number) => number < at) : stops.find((number) => number > at);
        };
        // Whoever came late knows the last events alone.
        while (by < 0 && next() === undefined && (await this.earlier()));
        void this.lookBack(next() ?? (by < 0 ? at : null));
    }

    async lookBack(at: number | null): Promise<void> {
        const last = this.current.match.events.at(-1)?.number ?? 0;
        if (at === null || at >= last) {
            const board = this.reader?.read(this.current.match) ?? EMPTY_BOARD;
            this.set({ past: null, board });
            return void this.lookUp();
        }
        this.set({ past: { at, match: this.current.past?.match ?? null }, acting: null, around: null });
        void this.knownFrom(at);
        try {
            const view = await this.line.ask<View>("view", { viewer: this.current.viewer, at });
            if (this.current.past?.at !== at) return;
            const match = ofView(view, this.current.match);
            this.set({ past: { at, match }, board: this.reader?.read(match) ?? EMPTY_BOARD });
        } catch (error) {
            if (this.current.past?.at !== at) return;
            if (error instanceof Refused) this.toast("bad", "That moment cannot be shown", [error.reason]);
            // The board may show another moment by now.
            void this.lookBack(null);
        }
    }

    async askWhy(event: number, entities: readonly number[]): Promise<void> {
        if (this.current.why?.event === event) return this.set({ why: null, highlighted: [] });
        this.set({ why: { event, lines: null, refused: null }, highlighted: entities });
        await this.lookUpWhy(event);
    }

    private async lookUpWhy(event: number): Promise<void> {
        try {
            const lines = await this.line.ask("why", { viewer: this.current.viewer, event, whole: false });
            if (this.current.why?.event === event) this.set({ why: { event, lines, refused: null } });
        } catch (error) {
            if (error instanceof Refused && this.current.why?.event === event) this.set({ why: { event, lines: [], refused: error.reason } });
        }
    }

    /** Asks for events before those that are known: whether there were any. */
    async earlier(): Promise<boolean> {
        const { match, viewer } = this.current;
        const first = firstKnown(match);
        if (first <= 1) return false;
        const since = Math.max(0, first - 1 - MOST_EARLIER);
        try {
            const news = await this.line.ask("news", { viewer, timeline: match.timeline, since, limit: first - 1 - since });
            // Meanwhile more may have happened, and the screen be another's.
            const after = withEarlier(this.matches.get(viewer) ?? NO_MATCH, news.events.map(lineOfEvent));
            this.matches.set(viewer, after);
            if (viewer === this.current.viewer) this.set({ match: after });
            return viewer === this.current.viewer && firstKnown(after) < first;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            return false;
        }
    }

    /** Asks for earlier events until those from a number on are known. */
    private async knownFrom(event: number): Promise<void> {
        while (firstKnown(this.current.match) > event && (await this.earlier()));
    }

    setDepth(depth: Depth): void {
        this.set({ depth });
    }

    /** What is sought may have happened before all that is known. */
    setSearch(search: string): void {
        this.set({ search });
        if (search.trim() !== "") void this.knownFrom(1);
    }

    // Measuring.

    toggleMeasuring(): void {
        this.set({ isMeasuring: !this.current.isMeasuring, measured: [] });
    }

    measureTo(points: readonly Spot[]): void {
        this.set({ measured: points });
    }

    // Notices.

    toast(tone: Toast["tone"], title: string, lines: readonly string[], action?: Toast["action"]): void {
        const id = this.nextToast++;
        this.set({ toasts: [...this.current.toasts.slice(-2), { id, tone, title, lines, action }] });
        setTimeout(() => this.dropToast(id), action ? TOAST_WITH_ACTION_FOR : TOAST_FOR);
    }

    dropToast(id: number): void {
        this.set({ toasts: this.current.toasts.filter((toast) => toast.id !== id) });
    }

    dropFaults(): void {
        this.set({ faults: [] });
    }

    dropRefusal(): void {
        this.set({ refusal: null });
    }

    private shownMatch(): Match {
        return this.current.past?.match ?? this.current.match;
    }

    /** The piece for an entity: itself, or one of the group that it is. */
    pieceOf(entity: number): Piece | null {
        const { board } = this.current;
        const member = board.groups.get(entity)?.members[0];
        return board.byId.get(entity) ?? (member === undefined ? null : (board.byId.get(member) ?? null));
    }
}

function actorOf(action: Action): { entity: number | null; label: string } | null {
    const actor = action.actor as { entity?: number | null; label?: string } | null | undefined;
    return actor ? { entity: actor.entity ?? null, label: actor.label ?? "" } : null;
}

/** The decision that an action comes to. */
function inputOf(acting: Acting): Input {
    const common = { by: acting.side, actor: actorOf(acting.action), params: paramsOf(acting.given) };
    return acting.isReaction ? { input: "react", reaction: acting.action.id, ...common } : { input: "act", action: acting.action.id, ...common };
}
