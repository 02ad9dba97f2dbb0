// The log: what has happened, with the rule behind each line. A line shows why
// it came about, and lights up the pieces it names.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useRead, useTable } from "./held.ts";
import { citation, isDecided, linesOf, spoken, type LogLine } from "../pure/log.ts";
import type { Depth, WhyAbout } from "../protocol.ts";

const DEPTHS: readonly (readonly [Depth, string])[] = [["story", "Story"], ["volley", "Volleys"], ["full", "All"]];
/** So many lines are drawn at once; earlier ones are asked for. */
const SHOWN = 250;

export function Log() {
    const table = useTable();
    const events = useRead((state) => state.match.events);
    const depth = useRead((state) => state.depth);
    const search = useRead((state) => state.search);
    const at = useRead((state) => state.past?.at ?? null);
    const [shown, more] = useState(SHOWN);
    const box = useRef<HTMLDivElement>(null);
    const isAtEnd = useRef(true);
    const lines = useMemo(() => linesOf(events, depth, search), [events, depth, search]);
    const drawn = useMemo(() => lines.slice(-shown), [lines, shown]);
    const hasEarlier = (events[0]?.number ?? 1) > 1;
    const isCut = lines.length > shown || hasEarlier;
    // At once: what falls away above would move the lines first, as if somebody had scrolled.
    useLayoutEffect(() => {
        if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
    }, [drawn, at]);
    // The place of the log grows and shrinks with what is asked above it.
    useEffect(() => {
        const list = box.current;
        if (!list) return;
        const sized = new ResizeObserver(() => isAtEnd.current && list.scrollTo({ top: list.scrollHeight, behavior: "instant" }));
        sized.observe(list);
        return () => sized.disconnect();
    }, []);
    const scrolled = (event: Event) => {
        const list = event.currentTarget as HTMLElement;
        isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    };
    const earlier = () => (lines.length > shown ? more((n) => n + SHOWN) : void table.earlier());
    return (
        <section class="log" aria-label="What has happened">
            <div class="heading">
                <h2>Log</h2>
                <input type="search" placeholder="Search" aria-label="Search the log" value={search} onInput={(event) => table.setSearch(event.currentTarget.value)} />
            </div>
            <div class="depths" role="group" aria-label="How much is told">
                {DEPTHS.map(([id, title]) => <button type="button" key={id} aria-pressed={depth === id} onClick={() => table.setDepth(id)}>{title}</button>)}
            </div>
            <div class="lines" ref={box} onScroll={scrolled} role="log" aria-live="polite" aria-label="Events" tabIndex={0}><ol>
                {isCut && <li class="earlier"><button type="button" class="quiet" onClick={earlier}>Earlier</button></li>}
                {drawn.map((line) => <Line key={line.event} line={line} isAhead={at !== null && line.event > at} />)}
                {lines.length === 0 && <li class="note">{!search ? "Nothing has happened yet." : hasEarlier ? "Looking further back…" : "Nothing in the log has these words."}</li>}
            </ol></div>
        </section>
    );
}

function Line({ line, isAhead }: { line: LogLine; isAhead: boolean }) {
    const table = useTable();
    const why = useRead((state) => (state.why?.event === line.event ? state.why : null));
    const sort = line.kind === "phase" ? "phase" : isDecided(line.kind) ? "decided" : "narrated";
    return (
        <li class={`${sort}${isAhead ? " ahead" : ""}${why ? " open" : ""}`}>
            <button type="button" class="line" aria-expanded={why !== null} onClick={() => void table.askWhy(line.event, line.entities)}>
                <span>{line.text}{line.more.map((text) => <span class="more" key={text}>{text}</span>)}</span>
                {line.rule && <cite title={line.rule}>{citation(line.rule)}</cite>}
            </button>
            {why && <WhyTree lines={why.lines} refused={why.refused} event={line.event} />}
        </li>
    );
}

function WhyTree({ lines, refused, event }: { lines: readonly WhyAbout[] | null; refused: string | null; event: number }) {
    const table = useTable();
    const box = useRef<HTMLDivElement>(null);
    // The line that was asked about stays in sight above its reasons.
    useEffect(() => box.current?.parentElement?.scrollIntoView({ block: "nearest" }), [lines]);
    return (
        <div class="why" ref={box}>
            {lines === null && <p class="note">…</p>}
            {refused !== null && <p class="note">{refused}</p>}
            {lines !== null && lines.length > 0 && (
                <ul>
                    {lines.map((line, at) => (
                        <li key={at} class={`deep-${Math.min(line.depth, 6)}`}>
                            <span>{spoken(line.text)}</span>
                            {line.source && !/^event \d+$/.test(line.source) && <cite>{line.source}</cite>}
                        </li>
                    ))}
                </ul>
            )}
            <button type="button" class="quiet" onClick={() => void table.lookBack(event)}>See the table then</button>
        </div>
    );
}
