// Short notices, and the panel of what is broken in the rules.
import { useRead, useTable } from "./held.ts";
import type { FaultAbout } from "../protocol.ts";

export function Toasts() {
    const table = useTable();
    const toasts = useRead((state) => state.toasts);
    return (
        <div class="toasts" role="status" aria-live="polite">
            {toasts.map((toast) => (
                <div key={toast.id} class={`toast ${toast.tone}`}>
                    <div>
                        <b>{toast.title}</b>
                        {toast.lines.map((line) => <p key={line}>{line}</p>)}
                        {toast.action && <button type="button" class="action-of" onClick={() => { toast.action?.run(); table.dropToast(toast.id); }}>{toast.action.title}</button>}
                    </div>
                    <button type="button" class="quiet" aria-label="Close" onClick={() => table.dropToast(toast.id)}>×</button>
                </div>
            ))}
        </div>
    );
}

/** The server is there, and the match cannot be taken up. */
export function Stuck() {
    return (
        <section class="faults" role="alert" aria-label="The game does not go on">
            <h2>The game cannot be taken up just now</h2>
            <p>Nothing is lost that was acknowledged. Whoever runs the game can see what is wrong; this page goes on trying.</p>
        </section>
    );
}

export function Faults() {
    const table = useTable();
    const faults = useRead((state) => state.faults);
    if (faults.length === 0) return null;
    // What is wrong in a file has no rule; a rule breaks where it runs, mostly in play.
    const isInPlay = faults.some((fault) => fault.rule);
    return (
        <section class="faults" role="alert" aria-label="Broken rules">
            <div class="heading">
                <h2>{isInPlay ? "A rule is broken" : "The rules that were saved are broken"}</h2>
                <button type="button" class="quiet" aria-label="Close" onClick={() => table.dropFaults()}>×</button>
            </div>
            <p>{isInPlay ? "What met it was not done: the game is as it was." : "The game goes on by the rules before."}</p>
            <ul>
                {faults.slice(0, 12).map((fault, at) => (
                    <li key={at}>
                        <b>{[fault.module, [fault.file, fault.line, fault.column].filter((part) => part !== null && part !== undefined).join(":")].filter(Boolean).join(", ")}</b>
                        <p>{fault.message}</p>
                        {fault.rule && <p class="within">{within(fault)}</p>}
                        {fault.hint && <p class="hint">{fault.hint}</p>}
                    </li>
                ))}
            </ul>
            {faults.length > 12 && <p>{`and ${faults.length - 12} more`}</p>}
        </section>
    );
}

/** In what it happened: the rule, the clause of its function, and which rule called it. */
function within({ rule, clause, caller }: FaultAbout): string {
    return [`In rule ${rule}`, clause && `for ${clause}`, caller && `called by ${caller}`].filter(Boolean).join(", ");
}
