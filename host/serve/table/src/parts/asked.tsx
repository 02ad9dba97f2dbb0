// One thing that is asked, of an action or by a question: to choose, to count, to
// point at a place, to draw a way.
import { useEffect, useRef, useState } from "preact/hooks";
import { Fragment } from "./memo.ts";
import { useLit, useRead, useTable } from "./held.ts";
import { countOf, isFound, mayGive, numberedAmongEquals } from "../pure/acting.ts";
import { capital, count, entityIn, length, percent, point as pointText, sentence, unitLength } from "../pure/format.ts";
import { distance, hexDistance, hexUnder, pointOf, spotIn, spotOf } from "../pure/geometry.ts";
import { citation } from "../pure/log.ts";
import type { Choice, Domain, Plain } from "../protocol.ts";

/** Of more choices than this one is sought by its name. */
const MANY = 16;

export function Asked({ title, domain }: { title: string; domain: Domain }) {
    return (
        <div class={`asked-${domain.domain}`}>
            {title && <p class="ask" id="ask">{title}</p>}
            {domain.domain === "choices" && <Choices choices={domain.choices} title={title} />}
            {domain.domain === "several" && <Several choices={domain.choices} min={domain.min} max={domain.max} title={title} />}
            {domain.domain === "integer" && <Whole min={domain.min} max={domain.max} title={title} />}
            {domain.domain === "place" && <Place candidates={domain.candidates} />}
            {domain.domain === "route" && <Route from={domain.from} legs={domain.legs} candidates={domain.candidates} />}
            <Outlooked of="drawn" />
        </div>
    );
}

/** How far a choice lies from the one who acts, if it lies anywhere. */
function useFar(): (value: Plain) => string | null {
    const table = useTable();
    const from = useRead((state) => (state.acting && state.chosen !== null ? (state.board.byId.get(state.chosen) ?? null) : null));
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    return (value) => {
        const entity = entityIn(value);
        const to = entity === null ? spotIn(frame, value) : (table.pieceOf(entity)?.at ?? null);
        if (!from || !to) return null;
        return length(frame.isHex ? hexDistance(hexUnder(frame, from.at), hexUnder(frame, to)) * frame.hex : distance(from.at, to), measure);
    };
}

function usePointing(choices: readonly Choice[]): (value: Plain) => object {
    const table = useTable();
    const frame = useRead((state) => state.frame);
    const lit = useLit(choices);
    useEffect(() => () => table.showSpot(null), [choices, table]);
    return (value) => {
        const entity = entityIn(value);
        const spot = spotIn(frame, value);
        if (entity === null && spot === null) return {};
        const light = lit(value);
        const on = () => {
            table.showSpot(spot);
            light.on();
        };
        const off = () => {
            table.showSpot(null);
            light.off();
        };
        return { onMouseEnter: on, onMouseLeave: off, onFocus: on, onBlur: off };
    };
}

/** Labels of the rules may tell more after a colon: that is written smaller. How far it is stands here unless it is told below. */
function ChoiceLabel({ label, far, isName, value }: { label: string; far: string | null; isName: boolean; value: Plain }) {
    const outlook = useRead((state) => state.outlooks[JSON.stringify(value)]);
    const isMentioned = (text: string) => label.includes(text) || (outlook?.notes ?? []).some((note) => note.includes(text));
    const at = label.indexOf(": ");
    const [name, rest] = at > 0 ? [label.slice(0, at), label.slice(at + 2)] : [label, null];
    return (
        <>
            <span>{isName ? name : capital(name)}</span>
            {(rest || far) && <small>{[rest, far && !isMentioned(far) ? far : null].filter(Boolean).join(" · ")}</small>}
        </>
    );
}

/** What a player should know of a choice: notes, the chance, warnings. */
function Outlooked({ of }: { of: string }) {
    const outlook = useRead((state) => state.outlooks[of]);
    if (!outlook) return null;
    const chances = (outlook.odds?.outcomes ?? []).map(({ outcome, decimal }) => `${outcome.replaceAll("_", " ")} ${percent(decimal)}`);
    return (
        <small class="outlook">
            {outlook.notes.length > 0 && <span>{outlook.notes.join(" · ")}</span>}
            {chances.length > 0 && <b>{`${outlook.odds?.exact ? "" : "about "}${chances.join(", ")}`}</b>}
            {outlook.warnings.map((warning) => <em key={warning}>{warning}</em>)}
        </small>
    );
}

/** What is sought among many choices, and the field for it; few are looked through. */
function useSought(choices: readonly Choice[], title: string, take?: (only: Choice) => void) {
    const [sought, seek] = useState("");
    const frame = useRead((state) => state.frame);
    useEffect(() => seek(""), [choices]);
    const isMany = choices.length > MANY;
    const found = isMany ? choices.filter((choice) => isFound(choice.label, sought)) : choices;
    const table = useTable();
    const keys = (event: KeyboardEvent) => {
        if (event.key === "Escape" && sought === "") table.back();
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (found.length === 1 && found[0]) take?.(found[0]);
    };
    const field = (
        <Fragment>
            {choices.some((choice) => spotIn(frame, choice.value) !== null) && <p class="note">Point on the board, or choose here.</p>}
            {isMany && <input type="search" class="find" placeholder={`Find one of ${choices.length}`} aria-label={`${title || "Choices"}: find one of ${choices.length}`} value={sought} onInput={(event) => seek(event.currentTarget.value)} onKeyDown={keys} />}
            {isMany && found.length === 0 && <p class="note" role="status">None has these letters.</p>}
        </Fragment>
    );
    return { found, field, isShort: isMany && choices.every(({ label }) => label.length < 9) };
}

function Choices({ choices, title }: { choices: readonly Choice[]; title: string }) {
    const table = useTable();
    const far = useFar();
    const pointing = usePointing(choices);
    const isSending = useRead((state) => state.isSending);
    const { found, field, isShort } = useSought(choices, title, ({ value, label }) => table.give(value, label));
    if (choices.length === 0) return <p class="note">There is nothing to choose.</p>;
    return (
        <Fragment>
            {field}
            <ul class={`choices${isShort ? " short" : ""}`} aria-label={title || "Choices"}>
                {found.map((choice) => (
                    <li key={JSON.stringify(choice.value)}>
                        <button type="button" class="choice" disabled={isSending} onClick={() => table.give(choice.value, choice.label)} {...pointing(choice.value)}>
                            <ChoiceLabel label={choice.label} far={far(choice.value)} isName={entityIn(choice.value) !== null} value={choice.value} />
                            <Outlooked of={JSON.stringify(choice.value)} />
                        </button>
                    </li>
                ))}
            </ul>
        </Fragment>
    );
}

function Several({ choices, min, max, title }: { choices: readonly Choice[]; min: number; max: number; title: string }) {
    const table = useTable();
    const picked = useRead((state) => state.draft.list);
    const isSending = useRead((state) => state.isSending);
    const far = useFar();
    const pointing = usePointing(choices);
    const all = numberedAmongEquals(choices);
    const has = ({ choice, nth }: { choice: Choice; nth: number }) => countOf(picked, choice.value) > nth;
    const isEnough = picked.length >= min && picked.length <= max;
    const wanted = min === max ? count(min, "choice") : max >= choices.length ? (min === 0 ? "any number" : `at least ${min}`) : `${min} to ${max}`;
    const labels = all.filter(has).map(({ choice }) => choice.label);
    const { found, field, isShort } = useSought(choices, title);
    return (
        <fieldset class={`several${isShort ? " short" : ""}`}>
            <legend>{`${capital(wanted)}, ${picked.length} chosen`}<span class="hidden">{title}</span></legend>
            {field}
            {all.filter((one) => found.includes(one.choice) || has(one)).map((one) => [one.choice, one.nth, has(one)] as const).map(([choice, nth, isOn]) => (
                <label key={`${JSON.stringify(choice.value)} ${nth}`} class="choice" {...pointing(choice.value)}>
                    <input type="checkbox" checked={isOn} disabled={!isOn && picked.length >= max && max > 1} onChange={() => table.toggle(choice.value, isOn)} />
                    <ChoiceLabel label={choice.label} far={far(choice.value)} isName={entityIn(choice.value) !== null} value={choice.value} />
                </label>
            ))}
            <button type="button" class="primary" disabled={!isEnough || isSending} onClick={() => table.give([...picked], labels.join(", ") || "nobody")}>{picked.length === 0 && min === 0 ? "None of them" : "These"}</button>
        </fieldset>
    );
}

function Whole({ min, max, title }: { min: number; max: number; title: string }) {
    const table = useTable();
    const number = useRead((state) => state.draft.number) ?? min;
    const isSending = useRead((state) => state.isSending);
    const isRange = max - min <= 60;
    const put = (event: { currentTarget: HTMLInputElement }) => table.draftNumber(event.currentTarget.valueAsNumber);
    const isFitting = Number.isInteger(number) && number >= min && number <= max;
    return (
        <div class="whole">
            <label>
                <span>{`${min} to ${max}`}</span>
                {isRange && <input type="range" min={min} max={max} value={number} aria-label={title || "How many"} onInput={put} />}
                <input type="number" min={min} max={max} value={number} aria-label={title || "How many"} onInput={put} />
            </label>
            <button type="button" class="primary" disabled={!isFitting || isSending} onClick={() => table.give(number, String(number))}>{isFitting ? `Take ${number}` : "Take"}</button>
        </div>
    );
}

/** The point that is being drawn, as figures that can be typed; before that, of the piece that acts or what is suggested first. */
function Figures({ suggested }: { suggested: readonly [number, number] | undefined }) {
    const table = useTable();
    const points = useRead((state) => state.draft.points);
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const own = useRead((state) => (state.acting === null || state.chosen === null ? null : (state.board.byId.get(state.chosen)?.at ?? null)));
    const unit = unitLength(measure);
    const spot = points.at(-1) ?? table.routeStart() ?? own ?? (suggested && spotOf(frame, suggested)) ?? { x: 0, y: frame.bounds.h };
    const [across, along] = [spot.x / unit, (frame.bounds.h - spot.y) / unit];
    const put = (x: number, y: number) => {
        if (Number.isFinite(x) && Number.isFinite(y)) table.draftPoints([...points.slice(0, -1), { x: x * unit, y: frame.bounds.h - y * unit }]);
    };
    return (
        <fieldset class="figures">
            <legend>Where to, from the lower left corner</legend>
            <label>across <input type="number" step="0.1" value={across.toFixed(1)} onChange={(event) => put(event.currentTarget.valueAsNumber, along)} /></label>
            <label>along <input type="number" step="0.1" value={along.toFixed(1)} onChange={(event) => put(across, event.currentTarget.valueAsNumber)} /></label>
        </fieldset>
    );
}

function Verdict() {
    const judgement = useRead((state) => state.judgement);
    const hasPoints = useRead((state) => state.draft.points.length > 0);
    return (
        <p class={`verdict is-${judgement.verdict}`} role="status">
            {judgement.verdict === "bad" && <>{sentence(judgement.reason)}{judgement.clause && <cite>{citation(judgement.clause)}</cite>}</>}
            {judgement.verdict === "good" && "The rules allow it."}
            {judgement.verdict === "open" && "The rules have the last word, once it is given."}
            {judgement.verdict === "asking" && "…"}
            {judgement.verdict === "none" && !hasPoints && "Point on the board, or take what is suggested."}
        </p>
    );
}

/** Once a suggestion that was taken is found good, the button that gives it has the focus. */
function useTaken() {
    const isTaken = useRef(false);
    const button = useRef<HTMLButtonElement>(null);
    const isGood = useRead((state) => mayGive(state.judgement));
    useEffect(() => {
        if (!isGood || !isTaken.current) return;
        isTaken.current = false;
        button.current?.focus({ preventScroll: true });
    });
    return { button, taken: () => (isTaken.current = true) };
}

function Place({ candidates }: { candidates: readonly [number, number][] }) {
    const table = useTable();
    const judgement = useRead((state) => state.judgement);
    const hasPoint = useRead((state) => state.draft.points.length > 0);
    const isSending = useRead((state) => state.isSending);
    const { button, taken } = useTaken();
    return (
        <div class="place">
            <Verdict />
            <div class="stops"><button type="button" class="primary" ref={button} disabled={!hasPoint || !mayGive(judgement) || isSending} onClick={() => table.giveDrawn()}>This place</button></div>
            <Suggestions candidates={candidates.map((point) => [point])} onTake={taken} />
            <Figures suggested={candidates[0]} />
        </div>
    );
}

function Route({ from, legs, candidates }: { from: readonly [number, number]; legs: number; candidates: readonly [number, number][][] }) {
    const table = useTable();
    const draft = useRead((state) => state.draft);
    const judgement = useRead((state) => state.judgement);
    const measure = useRead((state) => state.measure);
    const isSending = useRead((state) => state.isSending);
    const last = draft.points.at(-1);
    const { button, taken } = useTaken();
    return (
        <div class="route">
            <Verdict />
            <div class="stops">
                <button type="button" class="primary" ref={button} disabled={draft.points.length === 0 || !mayGive(judgement) || isSending} onClick={() => table.giveDrawn()}>
                    {draft.points.length === 0 ? "Go there" : `Go there, ${length(table.routeLength(), measure)}`}
                </button>
                {last && draft.points.length < legs && <button type="button" onClick={() => table.draftPoints([...draft.points, last])}>Add a turn</button>}
                {last && <button type="button" onClick={() => table.draftPoints(draft.points.slice(0, -1))}>{draft.points.length > 1 ? "Drop the last leg" : "Clear"}</button>}
            </div>
            <Suggestions candidates={candidates} from={from} onTake={taken} />
            <Figures suggested={undefined} />
        </div>
    );
}

function Suggestions({ candidates, from, onTake }: { candidates: readonly (readonly [number, number][])[]; from?: readonly [number, number]; onTake: () => void }) {
    const take = (route: readonly [number, number][]) => {
        onTake();
        table.draftCandidate(route);
    };
    const table = useTable();
    const measure = useRead((state) => state.measure);
    const frame = useRead((state) => state.frame);
    const pieces = useRead((state) => state.board.pieces);
    if (candidates.length === 0) return null;
    const routeText = (route: readonly [number, number][]) => {
        const end = route.at(-1);
        if (!end) return "stay";
        const spot = spotOf(frame, end);
        const there = pieces.find((piece) => distance(piece.at, spot) < 3);
        const start = from ? spotOf(frame, from) : null;
        return [there ? `${from ? "to" : "at"} ${there.label}` : pointText(pointOf(frame, spot), measure), start ? length(distance(start, spot), measure) : null].filter(Boolean).join(", ");
    };
    // Of ways that read the same the first is enough.
    const shown = new Map(candidates.slice(0, 24).reverse().map((route) => [routeText(route), route]));
    return (
        <div class="suggestions">
            <h3>Suggested</h3>
            <div class="actors">
                {[...shown].reverse().map(([text, route]) => (
                    <button type="button" class="actor" key={text} onClick={() => take(route)}>{text}</button>
                ))}
            </div>
        </div>
    );
}
