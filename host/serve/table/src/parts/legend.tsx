// What the looks of ground and the marks of pieces mean.
import { useMemo } from "preact/hooks";
import { useRead } from "./held.ts";
import type { Look } from "../pure/ground.ts";

export function Legend() {
    const areas = useRead((state) => state.board.areas);
    const grounds = useRead((state) => state.board.grounds);
    const sorts = useMemo(() => {
        const found = new Map<string, { look: Look; isBand: boolean }>();
        for (const { sort, look, shape } of areas) found.set(sort, { look, isBand: shape.form === "band" || isBand(look) });
        for (const { sort, look } of grounds) if (look) found.set(sort, { look, isBand: isBand(look) });
        return [...found].sort(([a], [b]) => a.localeCompare(b));
    }, [areas, grounds]);
    const hasHeights = grounds.some((ground) => ground.level > 0);
    if (sorts.length === 0 && !hasHeights) return null;
    return (
        <details class="legend">
            <summary>Legend</summary>
            <ul>
                {sorts.map(([sort, { look, isBand }]) => (
                    <li key={sort}>
                        <svg viewBox="0 0 28 18" class="swatch" aria-hidden="true">
                            <g class={`ground look-${look}${isBand ? " band" : ""}`}>
                                {isBand ? (
                                    <>
                                        <path class="casing" d="M0 9H28" stroke-width={8} />
                                        <path class="bed" d="M0 9H28" stroke-width={5} />
                                        <path class="marks" d="M0 9H28" stroke-width={5} />
                                    </>
                                ) : (
                                    <>
                                        <rect class="bed" width={28} height={18} />
                                        <rect class="pattern" width={28} height={18} fill={`url(#p-${look})`} />
                                    </>
                                )}
                            </g>
                        </svg>
                        {sort}
                    </li>
                ))}
                {hasHeights && <li><span class="swatch heights" aria-hidden="true" />higher ground is darker</li>}
                <li><span class="swatch mark able" aria-hidden="true" />may act now</li>
                <li><span class="swatch mark target" aria-hidden="true" />may be chosen</li>
                <li><span class="swatch mark bad" aria-hidden="true" />in a bad state</li>
            </ul>
        </details>
    );
}

function isBand(look: Look): boolean {
    return look === "road" || look === "track" || look === "wall" || look === "crest" || look === "trench";
}
