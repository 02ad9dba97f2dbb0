// The head of the screen: the game, the phase, whose go it is, who one is.
import { useRead, useTable } from "./held.ts";
import { capital } from "../pure/format.ts";
import { phasesInWords } from "../pure/match.ts";
import type { State } from "../state.ts";

export function Top({ onHelp }: { onHelp: () => void }) {
    const catalogue = useRead((state) => state.catalogue);
    const phases = useRead((state) => (state.past?.match ?? state.match).phases);
    const line = useRead((state) => state.line);
    const turn = useRead((state) => state.match.turn);
    const open = phasesInWords(phases, catalogue);
    return (
        <header class="top">
            <div class="what">
                <h1>{catalogue?.title}</h1>
                <p class="phases">{open.join(" › ")}</p>
            </div>
            <div class="who">
                {turn && <SideChip side={turn} text={`${titleOf(catalogue, turn)} to play`} />}
                <Me />
                {line !== "open" && <span class="line" role="status">{line === "opening" ? "Connecting…" : "Reconnecting…"}</span>}
                <UndoButton />
                <button type="button" class="quiet" onClick={onHelp} aria-label="Help" title="Help (?)">?</button>
            </div>
        </header>
    );
}

function Me() {
    const viewer = useRead((state) => state.viewer);
    const sides = useRead((state) => state.sides);
    const catalogue = useRead((state) => state.catalogue);
    const table = useTable();
    if (sides.length > 1 && !catalogue?.secrets) {
        return (
            <label class="me">
                <span class="hidden">You look as</span>
                <select value={viewer} onChange={(event) => table.sitDownAs(event.currentTarget.value)}>
                    {sides.map((side) => <option key={side} value={side}>{titleOf(catalogue, side)}</option>)}
                </select>
            </label>
        );
    }
    if (sides.length === 0) return <span class="me">{capital(viewer)}</span>;
    return <span class="me"><span class="hidden">You are </span><SideChip side={viewer} text={titleOf(catalogue, viewer)} /></span>;
}

export function SideChip({ side, text }: { side: string; text: string }) {
    const hue = useRead((state) => state.hues.get(side) ?? "none");
    return <span class={`chip hue-${hue}`}><span class="dot" aria-hidden="true" /><span class="called">{text}</span></span>;
}

/** What a side is called; with its id where the log, which tells of sides by that, would be hard to follow. */
export function titleOf(catalogue: State["catalogue"], side: string): string {
    const title = catalogue?.sides.find((one) => one.id === side)?.title ?? capital(side);
    return title.toLowerCase().split(/[^\p{L}\p{N}]+/u).includes(side.toLowerCase()) ? title : `${title} (${side})`;
}

/** Taking back: a referee does it, players who agree on it ask the others. */
function UndoButton() {
    const table = useTable();
    const role = useRead((state) => state.role);
    const undo = useRead((state) => state.catalogue?.undo);
    const isSide = useRead((state) => state.sides.length > 0);
    // Where players agree, the referee takes nothing back.
    if (undo === "agreed" ? !isSide : role !== "referee") return null;
    return <button type="button" class="quiet undo" aria-label="Take back" onClick={() => void table.undo()} title={role === "referee" ? "Take back the last decision" : "Ask to take your last decision back"}>Take back</button>;
}
