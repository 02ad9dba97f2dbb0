// What is to be done: by the player now, or by somebody else.
import { useEffect, useRef } from "preact/hooks";
import { Fragment } from "./memo.ts";
import { Asked } from "./asked.tsx";
import { useCardOrders } from "./hands.tsx";
import { useLit, useRead, useTable } from "./held.ts";
import { SideChip, titleOf } from "./top.tsx";
import { byTitle } from "../pure/acting.ts";
import { capital, count, entityIn, list, percent, plain, resultText, sentence, words } from "../pure/format.ts";
import { attributesOf } from "../pure/board.ts";
import { citation } from "../pure/log.ts";
import { isAsked, sidesAsked } from "../pure/match.ts";
import type { Action, Asking, Plain } from "../protocol.ts";

/** Of what would be taken back so many decisions are shown. */
const SHOWN_BACK = 4;

/** Whoever gives orders by keys stays in them when what had the focus is done and gone. */
function useFocusKept(): void {
    const isIn = useRef(false);
    useRead((state) => state.allowed);
    useRead((state) => state.isSending);
    useEffect(() => {
        const moved = (event: FocusEvent) => (isIn.current = event.target instanceof Element && event.target.closest("#orders") !== null);
        addEventListener("focusin", moved);
        return () => removeEventListener("focusin", moved);
    }, []);
    useEffect(() => {
        if (isIn.current && document.activeElement === document.body) document.getElementById("orders")?.focus({ preventScroll: true });
    });
}

export function Orders() {
    useFocusKept();
    const acting = useRead((state) => state.acting);
    const ask = useRead((state) => state.match.ask);
    const isPast = useRead((state) => state.past !== null);
    const isMine = useRead((state) => sidesAsked(state.match.ask).some((side) => state.sides.includes(side)));
    const spoken = isMine && !isPast && ask ? askedAloud(ask) : ask?.prompt === "over" ? "The game has ended" : "";
    return (
        <section class="orders" aria-label="Orders">
            <p class="hidden" role="status">{spoken}</p>
            <Proposal />
            {isPast ? <p class="note">You look back. Return to now to give orders.</p> : null}
            {!isPast && acting && <ActingPanel />}
            {!isPast && !acting && ask?.prompt === "answer" && isMine && <QuestionPanel />}
            {!isPast && !acting && (ask?.prompt === "act" || ask?.prompt === "react") && isMine && <ActionsPanel />}
            {!isPast && !acting && !(isMine && isAsked(ask)) && <WaitPanel />}
            <Refusal />
            <Chosen />
        </section>
    );
}

/** What a player who listens is told when it is for him to decide. */
function askedAloud(ask: Asking): string {
    if (ask.prompt === "answer") return `You are asked: ${ask.question.text}`;
    if (ask.prompt === "react") return `You may react: ${ask.text}`;
    return ask.prompt === "act" ? `It is your go: ${ask.title}` : "";
}

function Heading({ text, detail }: { text: string; detail?: string | null }) {
    return (
        <div class="heading">
            <h2>{text}</h2>
            {detail && <p>{detail}</p>}
        </div>
    );
}

/** Why the last thing was refused. */
function Refusal() {
    const refusal = useRead((state) => state.refusal);
    return (
        <div role="alert" class="refusals">
            {refusal && <p class="refusal">{sentence(refusal.reason)}{refusal.clause && <cite>{citation(refusal.clause)}</cite>}</p>}
        </div>
    );
}

function Proposal() {
    const table = useTable();
    const proposal = useRead((state) => state.match.proposal);
    const sides = useRead((state) => state.sides);
    const viewer = useRead((state) => state.viewer);
    const catalogue = useRead((state) => state.catalogue);
    if (!proposal) return null;
    const { number, by, waiting_for, what, more } = proposal;
    const mustAgree = waiting_for.includes(viewer) && sides.includes(viewer);
    const beside = waiting_for.find((side) => side !== viewer && sides.includes(side));
    const others = list(waiting_for.map((side) => titleOf(catalogue, side)));
    return (
        <section class="proposal" aria-label="Taking back">
            <div role="alert">
                <p>{by === viewer ? `You have asked to take back what follows. ${others} must agree.` : `${titleOf(catalogue, by)} asks to take back:`}</p>
                <ul>
                    {what.slice(0, SHOWN_BACK).map((line, at) => <li key={at}>{line}</li>)}
                    {what.length === 0 && <li class="note">What was decided in secret.</li>}
                </ul>
                {what.length + more > SHOWN_BACK && <p class="note">{`and ${count(what.length + more - SHOWN_BACK, "decision")} more`}</p>}
            </div>
            <div class="stops">
                {mustAgree && <button type="button" class="primary" onClick={() => void table.agreeToUndo(number)}>Agree</button>}
                {mustAgree && <button type="button" onClick={() => void table.declineUndo(number)}>Decline</button>}
                {by === viewer && <button type="button" onClick={() => void table.declineUndo(number)}>Withdraw</button>}
                {!mustAgree && beside && <button type="button" class="primary" onClick={() => table.handOverTo(beside)}>{`Let ${titleOf(catalogue, beside)} answer`}</button>}
            </div>
        </section>
    );
}

function WaitPanel() {
    const ask = useRead((state) => state.match.ask);
    const sides = useRead((state) => state.sides);
    const turn = useRead((state) => state.match.turn);
    const catalogue = useRead((state) => state.catalogue);
    if (ask?.prompt === "over") return <Over result={ask.result} />;
    const others = catalogue?.sides.filter((side) => !sides.includes(side.id)).map((side) => titleOf(catalogue, side.id)) ?? [];
    const whom = turn && !sides.includes(turn) ? titleOf(catalogue, turn) : sides.length > 0 ? list(others, "or") : "the players";
    const named = sidesAsked(ask).map((side) => titleOf(catalogue, side));
    // Who only looks on is not told who must decide: it may be another than whose go it is.
    if (turn && sides.length === 0 && named.length === 0) return <Heading text={`${titleOf(catalogue, turn)} to play`} detail="Others may be asked in between." />;
    return <Heading text={`Waiting for ${named.length > 0 ? list(named) : whom}`} detail={sides.length > 0 ? waitReason(turn, sides) : null} />;
}

/** How the game ended: the winner and the reason first, as far as the rules tell them. */
function Over({ result }: { result: Plain }) {
    const catalogue = useRead((state) => state.catalogue);
    const measure = useRead((state) => state.measure);
    const fields = result !== null && typeof result === "object" && "record" in result ? Object.entries(result.record as Record<string, Plain>) : [];
    const titles = new Map(catalogue?.sides.map(({ id, title }) => [id, title]));
    const valueText = (value: Plain) => resultText(value, titles, measure);
    const place = (name: string) => ["winner", "winners", "reason", "scores", "points"].indexOf(name) + 1 || 9;
    const shown = fields.map(([name, value]) => [name, valueText(value)] as const).filter(([, text]) => text.trim() !== "" && text !== "none").sort(([a], [b]) => place(a) - place(b));
    return (
        <div class="over">
            <Heading text="The game is over" detail={result === null ? "These rules name no winner." : fields.length > 0 ? null : capital(valueText(result))} />
            <dl>
                {shown.map(([name, text]) => (
                    <div key={name}>
                        <dt>{capital(words(name))}</dt>
                        <dd>{capital(text)}</dd>
                    </div>
                ))}
            </dl>
        </div>
    );
}

function waitReason(turn: string | null, sides: readonly string[]): string {
    return turn && sides.includes(turn) ? "They may react to what you did." : "You will be asked as soon as there is something for you to decide.";
}

function ActionsPanel() {
    const table = useTable();
    const ask = useRead((state) => state.match.ask);
    const allowed = useRead((state) => state.allowed);
    const own = useRead((state) => state.own);
    const chosen = useRead((state) => state.chosen);
    const isSending = useRead((state) => state.isSending);
    const piece = useRead((state) => (state.chosen === null ? null : (state.board.byId.get(state.chosen) ?? null)));
    // Whoever has gone aboard is not on the board, and has a name all the same.
    const name = useRead((state) => state.match.entities.get(state.chosen ?? 0)?.label ?? "");
    const isReaction = ask?.prompt === "react";
    const may = allowed?.actions.filter((action) => !action.refused) ?? [];
    const isOnBoard = may.some((action) => table.pieceOf(entityIn(action.actor) ?? 0) !== null);
    const whatToDo = may.length === 0 ? null : isOnBoard ? "Choose a piece on the board, or an order below." : "Choose an order below.";
    return (
        <Fragment>
            {ask?.prompt === "act" && <Heading text={ask.title || "Your go"} detail={piece ? null : whatToDo} />}
            {ask?.prompt === "react" && <Heading text="You may react" detail={capital(ask.text)} />}
            {!allowed && <p class="note" role="status">Looking up what may be done…</p>}
            <CardOrders />
            {allowed && chosen !== null && own && <OwnActions actions={own.actions} label={name} />}
            {allowed && !(chosen !== null && own && own.actions.some((action) => !action.refused)) && <AllActions actions={may} />}
            {allowed && (
                <div class="stops">
                    {isReaction && allowed.decline && <button type="button" class="primary" disabled={isSending} onClick={() => table.decline(false)}>Do not react</button>}
                    {isReaction && allowed.decline && <button type="button" disabled={isSending} onClick={() => table.decline(true)} title="And do not ask again in this action">Not in this action</button>}
                    {!isReaction && <Stop text="Done" refused={allowed.done_refused ?? null} onClick={() => table.stop("done")} isPrimary={allowed.actions.every((action) => action.refused)} />}
                    {!isReaction && <Stop text="Pass" refused={allowed.pass_refused ?? null} onClick={() => table.stop("pass")} isPrimary={false} />}
                    <Careful />
                    {allowed.take_back && <button type="button" disabled={isSending} onClick={() => table.stop("take_back")}>Take back your last order</button>}
                </div>
            )}
        </Fragment>
    );
}

/** What the chosen card may be used for, before all else. */
function CardOrders() {
    const orders = useCardOrders();
    if (orders === null || orders.actions.length === 0) return null;
    const { card, actions } = orders;
    return (
        <div class="actions with-card" role="group" aria-label={`With ${card}`}>
            <h3>{`With ${card}`}</h3>
            <ul>{actions.map((action) => <li key={action.id + JSON.stringify(action.actor)}><ActionButton action={action} isNamed={false} card={card} /></li>)}</ul>
        </div>
    );
}

/** For those who want to know the chances, or whose finger slips. */
function Careful() {
    const table = useTable();
    const isCareful = useRead((state) => state.isCareful);
    return (
        <label class="careful">
            <input type="checkbox" checked={isCareful} onChange={(event) => table.setCareful(event.currentTarget.checked)} />
            Show the chances first
        </label>
    );
}

function Stop({ text, refused, onClick, isPrimary }: { text: string; refused: string | null; onClick: () => void; isPrimary: boolean }) {
    const isSending = useRead((state) => state.isSending);
    if (refused !== null) return null;
    return <button type="button" class={isPrimary ? "primary" : ""} disabled={isSending} onClick={onClick}>{text}</button>;
}

/** The actions of the chosen piece and of its group: what is allowed, and why the rest is not. */
function OwnActions({ actions, label }: { actions: readonly Action[]; label: string }) {
    const may = actions.filter((action) => !action.refused);
    const not = actions.filter((action) => action.refused);
    return (
        <div class="actions">
            {may.length > 0 && <ul aria-label={`Orders of ${label}`}>{may.map((action) => <li key={action.id + JSON.stringify(action.actor)}><ActionButton action={action} isNamed={nameOf(action) !== label} /></li>)}</ul>}
            {may.length === 0 && <p class="note">{`${label} can do nothing now.`}</p>}
            {not.length > 0 && (
                <details class="refused">
                    <summary>{`What ${label} cannot do`}</summary>
                    <ul>
                        {not.map((action) => (
                            <li key={action.id + JSON.stringify(action.actor)}>
                                <b>{action.title}</b>
                                <span>{action.refused}<ClauseOf action={action} /></span>
                            </li>
                        ))}
                    </ul>
                </details>
            )}
        </div>
    );
}

function ClauseOf({ action }: { action: Action & { clause?: string | null } }) {
    return action.clause ? <cite>{citation(action.clause)}</cite> : null;
}

function nameOf(action: Action): string {
    const actor = action.actor as { label?: string } | null | undefined;
    return actor?.label ?? "";
}

/** All that is allowed, by what it is: for those who have not chosen a piece. */
function AllActions({ actions }: { actions: readonly Action[] }) {
    if (actions.length === 0) return <p class="note">There is nothing more for you to do here but to go on.</p>;
    return (
        <div class="actions">
            {byTitle(actions).map((group) => (
                <div class="action-group" key={group.id} role="group" aria-label={group.title}>
                    {group.actions.length === 1 && group.actions[0] ? (
                        <ActionButton action={group.actions[0]} isNamed />
                    ) : (
                        <Fragment>
                            <h3>{group.title}</h3>
                            <div class="actors">{group.actions.map((action) => <ActorButton key={JSON.stringify(action.actor)} action={action} />)}</div>
                        </Fragment>
                    )}
                </div>
            ))}
        </div>
    );
}

function usePointing(action: Action) {
    const { on, off } = useLit(action.id)(action.actor);
    return { onMouseEnter: on, onMouseLeave: off, onFocus: on, onBlur: off };
}

function ActionButton({ action, isNamed, card }: { action: Action; isNamed: boolean; card?: string }) {
    const table = useTable();
    const isSending = useRead((state) => state.isSending);
    return (
        <button type="button" class="action" disabled={isSending} onClick={() => void table.begin(action, card)} {...usePointing(action)}>
            <span>{action.title}</span>
            {isNamed && nameOf(action) && <small>{nameOf(action)}</small>}
        </button>
    );
}

function ActorButton({ action }: { action: Action }) {
    const table = useTable();
    const isSending = useRead((state) => state.isSending);
    // What stands on the board shows what it is; the rest says so.
    const title = useRead((state) => {
        const group = state.board.groups.get(entityIn(action.actor) ?? 0);
        return group?.isAway && group.title !== group.label ? group.title : null;
    });
    return (
        <button type="button" class="actor" disabled={isSending} aria-label={`${action.title}: ${[nameOf(action), title].filter(Boolean).join(" ")}`} onClick={() => void table.begin(action)} {...usePointing(action)}>
            {nameOf(action)}
            {title && <small>{` ${title}`}</small>}
        </button>
    );
}

/** An action that is being put together. */
function ActingPanel() {
    const table = useTable();
    const acting = useRead((state) => state.acting);
    const isSending = useRead((state) => state.isSending);
    const heading = useRef<HTMLDivElement>(null);
    const asked = acting && typeof acting.next !== "string" ? acting.next.name : acting?.next;
    useEffect(() => {
        if (asked === "asking") return;
        const first = heading.current?.querySelector<HTMLElement>(".asked input:enabled, .asked button:enabled, .confirm");
        // On a phone a field that is typed into brings a keyboard, which covers the board.
        const isTyped = first?.matches("input[type=search], input[type=number]") && matchMedia("(pointer: coarse)").matches;
        if (!isTyped && !document.activeElement?.closest(".map")) first?.focus({ preventScroll: true });
    }, [asked]);
    if (!acting) return null;
    const { next } = acting;
    return (
        <div class="acting" ref={heading}>
            <Heading text={acting.action.title} detail={nameOf(acting.action)} />
            {acting.given.length > 0 && (
                <ol class="given">
                    {acting.given.map((one, at) => (
                        <li key={one.name}>
                            <button type="button" disabled={one.isOnly || isSending} onClick={() => table.back(at)} aria-label={`${one.title} ${one.label}${one.isOnly ? "" : ": change"}`}>{one.label}</button>
                        </li>
                    ))}
                </ol>
            )}
            {next === "asking" && <p class="note" role="status">…</p>}
            {typeof next !== "string" && <div class="asked"><Asked title={next.title} domain={next.domain} /></div>}
            {next === "complete" && <Chances />}
            <div class="stops">
                {next === "complete" && <button type="button" class="primary confirm" disabled={isSending} onClick={() => table.confirm()}>{acting.action.title}</button>}
                <button type="button" disabled={isSending} onClick={() => table.cancel()}>Cancel</button>
            </div>
        </div>
    );
}

/** What an action may come to, before it is done. */
function Chances() {
    const odds = useRead((state) => state.odds);
    if (odds === null) return null;
    if (odds === "asking") return <p class="note" role="status">Reckoning the chances…</p>;
    if ("reason" in odds) return <p class="note" role="status">{`No chances to show: ${odds.reason}`}</p>;
    return (
        <div class="odds">
            <h3>What may come of it</h3>
            <ul>{odds.outcomes.slice(0, 12).map(({ outcome, decimal, odds: fraction }) => <li key={outcome} title={fraction}><span>{capital(outcome)}</span><b>{percent(decimal)}</b></li>)}</ul>
            <p class="note">{odds.exact ? "Exact: every way was counted." : capital(odds.how)}</p>
        </div>
    );
}

function QuestionPanel() {
    const ask = useRead((state) => state.match.ask);
    const viewer = useRead((state) => state.viewer);
    const measure = useRead((state) => state.measure);
    if (ask?.prompt !== "answer") return null;
    const { question } = ask;
    const own = question.asked.find((asked) => asked.side === viewer) ?? question.asked[0];
    const about = question.about.map((value) => plain(value, measure));
    return (
        <div class="question">
            <Heading text={question.text} detail={about.length > 0 ? `About ${list(about)}` : null} />
            {question.secret && <p class="note secret">Your answer is secret.</p>}
            {own && <div class="asked"><Asked title="" domain={own.domain} /></div>}
        </div>
    );
}

/** What is known of the piece that is chosen. */
function Chosen() {
    const table = useTable();
    const piece = useRead((state) => (state.chosen === null ? null : (state.board.byId.get(state.chosen) ?? null)));
    const group = useRead((state) => (piece?.group ? (state.board.groups.get(piece.group) ?? null) : null));
    const seen = useRead((state) => (state.chosen === null ? null : ((state.past?.match ?? state.match).entities.get(state.chosen) ?? null)));
    const catalogue = useRead((state) => state.catalogue);
    const measure = useRead((state) => state.measure);
    if (!piece || !seen) return null;
    const kind = catalogue?.kinds[seen.kind];
    const known = attributesOf(seen).filter(([name, value]) => !["title", "side", "at", "facing", "unit", "design", "detachment", "company"].includes(name) && !kind?.attributes[name]?.is_bookkeeping && isInformative(value));
    const hidden = seen.hidden.filter((name) => !kind?.attributes[name]?.is_bookkeeping);
    return (
        <section class="chosen" aria-label="Chosen piece">
            <div class="heading">
                <h2>{piece.label}</h2>
                <button type="button" class="quiet" onClick={() => table.choose(null)} aria-label="Choose nothing">×</button>
            </div>
            <p class="kind">{piece.side && <SideChip side={piece.side} text={capital(piece.title)} />}{!piece.side && capital(piece.title)}{group && <span>{`of ${group.label}`}</span>}</p>
            <ul class="states">
                {piece.isWreck && <li class="bad">wreck</li>}
                {piece.states.map((state) => <li key={state.text} class={state.tone}>{state.text}</li>)}
                {group?.states.map((state) => <li key={`g${state.text}`} class={state.tone}>{state.text}</li>)}
            </ul>
            {known.length > 0 && (
                <details class="details">
                    <summary>Details</summary>
                    <dl>
                        {known.map(([name, value]) => (
                            <div key={name} title={kind?.attributes[name]?.doc}>
                                <dt>{capital(words(name))}</dt>
                                <dd>{plain(value, measure)}</dd>
                            </div>
                        ))}
                        {hidden.length > 0 && <div><dt>Hidden from you</dt><dd>{list(hidden.map(words))}</dd></div>}
                    </dl>
                </details>
            )}
        </section>
    );
}

/** Nothing, no, and empty lists tell nothing of a piece. */
function isInformative(value: unknown): boolean {
    if (value === null || value === false || value === "" || value === "none") return false;
    if (Array.isArray(value)) return value.length > 0;
    return !(typeof value === "object" && "record" in value && Object.keys((value as { record: object }).record).length === 0);
}
