// What covers the whole screen: handing it over, and help.
import { useEffect, useRef } from "preact/hooks";
import { useRead, useTable } from "./held.ts";
import { titleOf } from "./top.tsx";

/** Nothing of either side is shown while the screen changes hands. */
export function HandOver({ side }: { side: string }) {
    const table = useTable();
    const catalogue = useRead((state) => state.catalogue);
    const hue = useRead((state) => state.hues.get(side) ?? "none");
    const title = titleOf(catalogue, side);
    return (
        <main class={`hand-over hue-${hue}`}>
            <h1>{`Hand the screen to ${title}`}</h1>
            <p>What one side knows is not for the other to see.</p>
            <button type="button" class="primary" onClick={() => table.sitDownAs(side)}>{`I am ${title}`}</button>
        </main>
    );
}

const KEYS: readonly (readonly [string, string])[] = [
    ["Arrow keys", "from piece to piece on the board; where a place is asked for, move it"],
    ["Enter", "choose; where a place is drawn, go there"],
    ["Escape", "one step back"],
    ["Shift and arrows", "move the map"],
    ["+  −  0", "nearer, farther, the whole map"],
    ["m", "measure"],
    ["?", "this help"],
];

export function Help({ onClose }: { onClose: () => void }) {
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => dialog.current?.showModal(), []);
    return (
        <dialog class="help" ref={dialog} onClose={onClose} aria-labelledby="help-title">
            <h2 id="help-title">How to play at this table</h2>
            <p>Pieces with a gold ring may act now. Choose one, then an order; what is asked next is asked beside the board, and whatever can be pointed at can be clicked on the board too.</p>
            <p>Drag a piece that may move to draw its way. The rules say as you draw whether it may go there.</p>
            <p>A line of the log tells why it came about. The slider below the board shows the table as it was.</p>
            <dl>{KEYS.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
            <button type="button" class="primary" onClick={() => dialog.current?.close()}>Close</button>
        </dialog>
    );
}
