// The slider through the game: the table as it was after any event.
import { useEffect, useRef, useState } from "preact/hooks";
import { useRead, useTable } from "./held.ts";

const RESTS_FOR = 90;

export function Past() {
    const table = useTable();
    const at = useRead((state) => state.past?.at ?? null);
    const last = useRead((state) => state.match.events.at(-1)?.number ?? 0);
    // An event without words is told by the last that has some.
    const text = useRead((state) => state.match.events.findLast((event) => event.number <= (state.past?.at ?? -1) && event.text.length > 0)?.text[0] ?? null);
    const [drawn, draw] = useState<number | null>(null);
    const timer = useRef(0);
    useEffect(() => draw(null), [at]);
    if (last < 2) return null;
    const put = (value: number) => {
        draw(value);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => void table.lookBack(value >= last ? null : value), RESTS_FOR);
    };
    const now = drawn ?? at ?? last;
    return (
        <div class={`past${at === null ? "" : " back"}`}>
            <button type="button" class="quiet step" aria-label="One decision back" title="One decision back" onClick={() => void table.stepBack(-1)}>‹</button>
            <input type="range" min={1} max={last} value={now} aria-label="Look back through the game" aria-valuetext={at === null ? "now" : (text ?? `event ${now}`)} onInput={(event) => put(event.currentTarget.valueAsNumber)} />
            <button type="button" class="quiet step" aria-label="One decision on" title="One decision on" disabled={at === null} onClick={() => void table.stepBack(1)}>›</button>
            <span class="moment">{at === null ? "Now" : (text ?? "Before")}</span>
            {at !== null && <button type="button" class="primary" onClick={() => void table.lookBack(null)}>Back to now</button>}
        </div>
    );
}
