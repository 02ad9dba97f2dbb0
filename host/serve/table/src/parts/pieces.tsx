// All pieces as a list: the same as on the board, for those who do not see it
// or would rather read.
import { useMemo } from "preact/hooks";
import { useLit, useRead, useTable } from "./held.ts";
import { SideChip, titleOf } from "./top.tsx";
import { capital, count, entityIn, hexName, length, point } from "../pure/format.ts";
import { boxAround, distance, hexDistance, hexUnder, pointOf } from "../pure/geometry.ts";
import { facingInWords, hexInWords, placeInWords, type Area, type Ground, type Piece } from "../pure/board.ts";

export function PieceList() {
    const board = useRead((state) => state.board);
    const catalogue = useRead((state) => state.catalogue);
    const sides = useMemo(() => [...(catalogue?.sides.map((side) => side.id) ?? []), null], [catalogue]);
    return (
        <section class="piece-list" aria-label="Pieces">
            {board.pieces.length === 0 && board.groups.size === 0 && <p class="note">There are no pieces on the board.</p>}
            {sides.map((side) => {
                const own = board.pieces.filter((piece) => piece.side === side).sort(byLabel);
                const away = [...board.groups.values()].filter((group) => group.isAway && group.side === side).sort(byLabel);
                if (own.length + away.length === 0) return null;
                const groups = [...new Set(own.map((piece) => piece.group))];
                return (
                    <section key={side ?? ""} aria-label={side ? titleOf(catalogue, side) : "Nobody's"}>
                        <h2>{side ? <SideChip side={side} text={titleOf(catalogue, side)} /> : "Nobody's"}</h2>
                        {groups.map((id) => {
                            const group = id === null ? undefined : board.groups.get(id);
                            return (
                                <div key={id ?? 0} class="group">
                                    {group && <h3>{group.label}<small>{[group.title !== "unit" && group.title !== group.label ? group.title : null, ...group.states.map((state) => state.text)].filter(Boolean).join(", ")}</small></h3>}
                                    <ul>{own.filter((piece) => piece.group === id).map((piece) => <li key={piece.id}><Row piece={piece} /></li>)}</ul>
                                </div>
                            );
                        })}
                        {away.length > 0 && (
                            <div class="group">
                                <h3>Not on the board</h3>
                                <ul>{away.map((group) => <li key={group.id} class="away"><span>{group.label}</span><small>{capital([group.title, ...group.states.map((state) => state.text)].join(", "))}</small></li>)}</ul>
                            </div>
                        )}
                    </section>
                );
            })}
            <GroundList />
        </section>
    );
}

/** As people count: the second before the tenth, in whatever order they were told of. */
function byLabel(a: { label: string }, b: { label: string }): number {
    return a.label.localeCompare(b.label, "en", { numeric: true });
}

/** The ground, for those who do not see it: what lies where, or on which hexes. */
function GroundList() {
    const areas = useRead((state) => state.board.areas);
    const grounds = useRead((state) => state.board.grounds);
    const sorts = useMemo(() => {
        const sorts = new Map<string, Ground[]>();
        for (const ground of grounds) {
            const sort = hexInWords(ground).join(", ");
            if (sort !== "") sorts.set(sort, [...(sorts.get(sort) ?? []), ground]);
        }
        return [...sorts].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    }, [grounds]);
    const named = areas.filter((area) => area.isNamed);
    if (named.length + sorts.length === 0) return null;
    return (
        <section aria-label="Ground">
            <h2>Ground</h2>
            <ul>
                {named.map((area) => <li key={area.id} class="away"><AreaRow area={area} /></li>)}
                {sorts.map(([sort, hexes]) => (
                    <li key={sort} class="away">
                        <details>
                            <summary>{`${capital(sort)}: ${count(hexes.length, "hex", "hexes")}`}</summary>
                            <small>{hexes.map(({ name }) => name).sort().join(", ")}</small>
                        </details>
                    </li>
                ))}
            </ul>
        </section>
    );
}

function AreaRow({ area }: { area: Area }) {
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const { x, y, w, h } = boxAround(area.shape);
    const corner = (spot: { x: number; y: number }) => (frame.isHex ? hexName(hexUnder(frame, spot)) : point(pointOf(frame, spot), measure));
    return (
        <>
            <span>{area.name}</span>
            <small>{capital(`${area.sort}, from ${corner({ x, y: y + h })} to ${corner({ x: x + w, y })}`)}</small>
        </>
    );
}

function Row({ piece }: { piece: Piece }) {
    const table = useTable();
    const lit = useLit(piece.id)({ entity: piece.id, label: piece.label });
    const isChosen = useRead((state) => state.chosen === piece.id);
    const isAble = useRead((state) => state.allowed?.actions.some((action) => !action.refused && (entityIn(action.actor) === piece.id || (piece.group !== null && entityIn(action.actor) === piece.group))) ?? false);
    const frame = useRead((state) => state.frame);
    const measure = useRead((state) => state.measure);
    const from = useRead((state) => (state.chosen === null ? null : (state.board.byId.get(state.chosen) ?? null)));
    const board = useRead((state) => state.board);
    const where = useMemo(() => placeInWords(piece, board, frame, measure), [piece, board, frame, measure]);
    const far = from && from.id !== piece.id ? length(frame.isHex ? hexDistance(hexUnder(frame, from.at), hexUnder(frame, piece.at)) * frame.hex : distance(from.at, piece.at), measure) : null;
    const states = [piece.isWreck ? "wreck" : null, ...piece.states.map((state) => state.text)].filter(Boolean);
    return (
        <button type="button" class="row" aria-pressed={isChosen} onClick={() => table.press(piece.id)} onMouseEnter={lit.on} onMouseLeave={lit.off}>
            <span class="name">{piece.label}{isAble && <em>may act</em>}</span>
            <small>{capital([piece.title, ...states].join(", "))}</small>
            <small class="where">{[where, facingInWords(piece), far && `${far} away`].filter(Boolean).join(" · ")}</small>
        </button>
    );
}
