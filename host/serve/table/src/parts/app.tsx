// The screen as a whole: the board, and beside it what to do, what has
// happened, and what lies where.
import { useEffect, useState } from "preact/hooks";
import { Board } from "./board.tsx";
import { HandOver, Help } from "./covers.tsx";
import { Hands } from "./hands.tsx";
import { Faults, Stuck, Toasts } from "./notices.tsx";
import { useRead, useTable } from "./held.ts";
import { Log } from "./log.tsx";
import { Orders } from "./orders.tsx";
import { Past } from "./past.tsx";
import { PieceList } from "./pieces.tsx";
import { Referee } from "./referee.tsx";
import { Rules } from "./rules.tsx";
import { Top } from "./top.tsx";
import { Versions } from "./versions.tsx";
import { sidesAsked } from "../pure/match.ts";

type Tab = "orders" | "log" | "pieces" | "rules" | "referee";

export function App() {
    const table = useTable();
    const line = useRead((state) => state.line);
    const role = useRead((state) => state.role);
    const hasCatalogue = useRead((state) => state.catalogue !== null);
    const isPast = useRead((state) => state.past !== null);
    const handOver = useRead((state) => state.handOver);
    const isCalled = useRead(({ match, viewer, sides }) => sides.includes(viewer) && (sidesAsked(match.ask).includes(viewer) || (match.proposal?.waiting_for.includes(viewer) ?? false)));
    const [tab, show] = useState<Tab>("orders");
    const [isHelp, help] = useState(false);

    useEffect(() => {
        const keys = (event: KeyboardEvent) => {
            // What lies over the table takes its keys itself.
            if (isTyping(event.target) || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
            if (event.key === "?") help(true);
            else if (event.key === "m") table.toggleMeasuring();
            else if (event.key === "Escape") escape(table);
            else return;
            event.preventDefault();
        };
        addEventListener("keydown", keys);
        return () => removeEventListener("keydown", keys);
    }, [table]);

    if (line === "refused" || line === "revoked") return <NoSeat isRevoked={line === "revoked"} />;
    if (!hasCatalogue) return <main class="waiting"><h1>Houserule</h1>{line === "stuck" ? <Stuck /> : <p role="status">{line === "open" ? "No match is in play." : "Coming to the table…"}</p>}</main>;
    if (handOver !== null) return <HandOver side={handOver} />;
    const tabs: [Tab, string][] = [["orders", "Orders"], ["log", "Log"], ["pieces", "Pieces"], ["rules", "Rules"], ...(role === "referee" ? [["referee", "Rulings"] as [Tab, string]] : [])];
    return (
        <div class={`room tab-${tab}${isPast ? " in-past" : ""}`}>
            <button type="button" class="skip" onClick={() => document.getElementById("orders")?.focus()}>To the orders</button>
            <Top onHelp={() => help(true)} />
            <main>
                <div class="field">
                    <Board />
                    <Hands />
                    <Past />
                </div>
                <aside aria-label="Beside the board">
                    <nav class="tabs" aria-label="Beside the board">
                        {tabs.map(([id, title]) => (
                            <button type="button" key={id} class={`for-${id}`} aria-pressed={tab === id} onClick={() => show(id)}>
                                {title}
                                {id === "orders" && isCalled && <span class="calls"><span class="hidden">for you to decide</span></span>}
                            </button>
                        ))}
                    </nav>
                    {/* Where nothing in them takes the focus, they do: else nobody could scroll them by keys. */}
                    <div class="sheet sheet-orders" id="orders" tabIndex={isCalled ? -1 : 0}><Orders /></div>
                    <div class="sheet sheet-log"><Log /></div>
                    <div class="sheet sheet-pieces"><PieceList /></div>
                    {tab === "rules" && <div class="sheet sheet-rules"><Rules /></div>}
                    {role === "referee" && <div class="sheet sheet-referee"><Referee /></div>}
                </aside>
            </main>
            {line === "stuck" && <Stuck />}
            <Faults />
            <Toasts />
            <Versions />
            {isHelp && <Help onClose={() => help(false)} />}
        </div>
    );
}

function isTyping(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && (target.matches("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select") || target.isContentEditable);
}

function escape(table: ReturnType<typeof useTable>): void {
    const { state } = table;
    if (state.isMeasuring) table.toggleMeasuring();
    else if (state.draft.points.length > 0) table.draftPoints(state.draft.points.slice(0, -1));
    else if (state.acting) table.back();
    else if (state.why) void table.askWhy(state.why.event, []);
    else if (state.past) void table.lookBack(null);
    else table.choose(null);
}

function NoSeat({ isRevoked }: { isRevoked: boolean }) {
    return (
        <main class="waiting">
            <h1>Houserule</h1>
            <p role="alert">{isRevoked ? "This seat was taken away. Ask whoever runs the game for another link." : "This link opens no seat. Ask whoever runs the game for a link of your own."}</p>
        </main>
    );
}
