// What a changed rule makes of the game so far: both courses side by side, up
// to the decision in which they part.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { GroundLayer, Patterns } from "./ground.tsx";
import { useRead, useTable } from "./held.ts";
import { PieceOf } from "./piece.tsx";
import { plain, words } from "../pure/format.ts";
import { around, partedAttributes } from "../pure/versions.ts";
import type { Board } from "../pure/board.ts";
import type { Box } from "../pure/geometry.ts";
import type { Parted } from "../protocol.ts";

export function Versions() {
    const table = useTable();
    const versions = useRead((state) => state.versions);
    const dialog = useRef<HTMLDialogElement>(null);
    const isShown = versions !== null && versions.before !== null;
    useEffect(() => {
        if (!isShown || !dialog.current || dialog.current.open) return;
        dialog.current.showModal();
        dialog.current.querySelector("h2")?.focus();
    }, [isShown]);
    if (!versions || !versions.before || !versions.after) return null;
    const { difference, before, after } = versions;
    return (
        <dialog class="versions" ref={dialog} onClose={() => table.closeVersions()} aria-labelledby="versions-title">
            <h2 id="versions-title" tabIndex={-1}>{difference.decision === 0 ? "The game begins otherwise" : `The game takes another course at decision ${difference.decision}`}</h2>
            <p class="note">What was decided stays the same; this is what came of it.</p>
            <div class="courses">
                <Course title="By the rules before" lines={difference.before} board={before} other={after} parted={difference.pieces} />
                <Course title="By the rules now" lines={difference.after} board={after} other={before} parted={difference.pieces} />
            </div>
            <Differences parted={difference.pieces} />
            <div class="stops">
                <button type="button" class="primary" onClick={() => dialog.current?.close()}>Close</button>
                <button type="button" onClick={() => { dialog.current?.close(); void table.lookBack(difference.at); }}>See the table then</button>
            </div>
        </dialog>
    );
}

function Course({ title, lines, board, other, parted }: { title: string; lines: readonly string[]; board: Board; other: Board; parted: readonly Parted[] }) {
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const hues = useRead((state) => state.hues);
    const lit = useMemo(() => new Set(parted.map((one) => one.entity)), [parted]);
    const box: Box = useMemo(() => around([...board.pieces, ...other.pieces].filter((piece) => lit.has(piece.id)).map((piece) => piece.at), frame), [board, other, lit, frame]);
    const size = frame.isHex ? frame.hex * 0.7 : Math.max(22, box.w / 17);
    const spoken = board.pieces.filter((piece) => lit.has(piece.id)).map((piece) => [piece.label, ...piece.states.map((state) => state.text)].join(", "));
    return (
        <section class="course" aria-label={title}>
            <h3>{title}</h3>
            <svg class="map" viewBox={`${box.x} ${box.y} ${box.w} ${box.h}`} role="img" aria-label={spoken.length > 0 ? spoken.join("; ") : "The same pieces"}>
                <Patterns />
                <GroundLayer frame={frame} board={board} measure={measure} />
                <g class="pieces" aria-hidden="true">
                    {board.pieces.map((piece) => (
                        <PieceOf key={piece.id} piece={piece} x={piece.at.x} y={piece.at.y} size={size} hue={(piece.side && hues.get(piece.side)) || "none"} role="idle" isChosen={false} isHighlighted={lit.has(piece.id)} name={null} tab={-1} />
                    ))}
                </g>
                <g class="names" font-size={box.w / 28} aria-hidden="true">
                    {board.pieces.filter((piece) => lit.has(piece.id)).map((piece) => <text key={piece.id} x={piece.at.x} y={piece.at.y - size * 0.8} text-anchor="middle">{piece.label}</text>)}
                </g>
            </svg>
            <ul class="narrated">{lines.length > 0 ? lines.map((line, at) => <li key={at}>{line.trim()}</li>) : <li class="note">Nothing more was told.</li>}</ul>
        </section>
    );
}

/** In words what the boards show, and what no board shows. */
function Differences({ parted }: { parted: readonly Parted[] }) {
    const measure = useRead((state) => state.measure);
    const kinds = useRead((state) => state.catalogue?.kinds);
    if (parted.length === 0) return null;
    return (
        <table class="parted">
            <thead><tr><th scope="col">What</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead>
            <tbody>
                {parted.slice(0, 12).flatMap((one) =>
                    one.before && one.after
                        ? partedAttributes(one, kinds?.[one.kind]?.attributes ?? {}).map(({ name, before, after }) => (
                              <tr key={`${one.entity} ${name}`}>
                                  <th scope="row">{`${one.label}: ${words(name)}`}</th>
                                  <td>{before === undefined ? "" : plain(before, measure)}</td>
                                  <td>{after === undefined ? "" : plain(after, measure)}</td>
                              </tr>
                          ))
                        : [
                              <tr key={one.entity}>
                                  <th scope="row">{one.label}</th>
                                  <td>{one.before ? "there" : "not there"}</td>
                                  <td>{one.after ? "there" : "not there"}</td>
                              </tr>,
                          ],
                )}
            </tbody>
        </table>
    );
}
