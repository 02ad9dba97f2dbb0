// A piece on the board: a body that points where it faces, a sign in the
// manner of military maps, and small marks for its state.
import { Fragment, memo } from "./memo.ts";
import type { Piece } from "../pure/board.ts";
import type { Sign } from "../pure/symbols.ts";
import type { Hue } from "../pure/symbols.ts";

export type Role = "idle" | "able" | "target" | "picked";

type Props = { piece: Piece; x: number; y: number; size: number; hue: Hue; role: Role; isChosen: boolean; isHighlighted: boolean; /** What it is read out as; nothing in a picture, where it cannot be chosen. */ name: string | null; tab: number };

/** A body is drawn in a square of 100 around its middle. */
const BODY = "M-40 42V-24L0-56L40-24V42Z";
const PLAIN_BODY = "M-42-42H42V42H-42Z";
const MARKER = "M0-46L46 0L0 46L-46 0Z";

export const PieceOf = memo(({ piece, x, y, size, hue, role, isChosen, isHighlighted, name, tab }: Props) => {
    const scale = size / 100;
    const bad = piece.states.filter((state) => state.tone === "bad").length;
    const isSpent = piece.states.some((state) => state.tone === "spent");
    const isGood = piece.states.some((state) => state.tone === "good");
    const body = piece.form === "marker" ? MARKER : piece.facing === null ? PLAIN_BODY : BODY;
    const classes = ["piece", `hue-${hue}`, `as-${role}`, piece.isWreck && "wreck", isChosen && "chosen", isHighlighted && "lit", isSpent && "spent", piece.form].filter(Boolean).join(" ");
    return (
        <g class={classes} transform={`translate(${round(x)} ${round(y)}) scale(${round(scale)})`} {...(name !== null && { "data-piece": piece.id, role: "button", tabindex: tab, "aria-label": name, "aria-pressed": isChosen })}>
            <circle class="touch" r={62} />
            <circle class="halo" r={70} />
            <g transform={piece.facing === null || piece.form === "marker" ? undefined : `rotate(${round(piece.facing)})`}>
                <path class="body" d={body} />
            </g>
            <SignOf sign={piece.sign} />
            {piece.isWreck && <path class="cross" d="M-40-40L40 40M40-40L-40 40" />}
            {piece.isCommand && <path class="star" d="M0-86l5.3 10.8 11.9 1.7-8.6 8.4 2 11.9-10.6-5.6-10.6 5.6 2-11.9-8.6-8.4 11.9-1.7z" />}
            {!piece.isWreck && bad > 0 && <Badge class="bad" x={42} text="!" />}
            {!piece.isWreck && isGood && <Badge class="good" x={-42} text="" />}
        </g>
    );
});

function round(n: number): number {
    return Math.round(n * 1000) / 1000;
}

function Badge({ class: name, x, text }: { class: string; x: number; text: string }) {
    return (
        <g class={`badge ${name}`} transform={`translate(${x} -40)`}>
            <circle r={17} />
            {text !== "" && <text y={9}>{text}</text>}
        </g>
    );
}

/** The sign in the middle of a piece. */
export function SignOf({ sign }: { sign: Sign }) {
    switch (sign) {
        case "armour":
            return <ellipse class="sign" rx={25} ry={14} />;
        case "infantry":
            return <path class="sign" d="M-25-17L25 17M25-17L-25 17" />;
        case "mechanised":
            return (
                <Fragment>
                    <ellipse class="sign" rx={25} ry={14} />
                    <path class="sign" d="M-25-17L25 17M25-17L-25 17" />
                </Fragment>
            );
        case "guns":
            return <circle class="sign filled" r={10} />;
        case "mortar":
            return (
                <Fragment>
                    <circle class="sign" cy={12} r={8} />
                    <path class="sign" d="M0 4V-22M-8-13L0-22L8-13" />
                </Fragment>
            );
        case "rocket":
            return <path class="sign" d="M-14-4L0-18L14-4M-14 10L0-4L14 10M0-2V22" />;
        case "air":
            return <path class="sign filled" d="M0 0L-26-13V13ZM0 0L26-13V13Z" />;
        case "command":
            return <path class="sign filled" d="M-16-22V24M-16-20H20L12-9L20 2H-16" />;
        case "scouts":
            return <path class="sign" d="M-25 17L25-17" />;
        case "engineers":
            return <path class="sign" d="M-22 12V-12H22V12M0-12V10" />;
        case "anti-air":
            return <path class="sign" d="M-25 18Q-25-16 0-16T25 18" />;
        case "walker":
            return <path class="sign" d="M-16 22L-6-4H6L16 22M-10-20H10V-4H-10Z" />;
        case "sniper":
            return <path class="sign" d="M-22 0H22M0-22V22M13 0A13 13 0 1 1-13 0A13 13 0 1 1 13 0" />;
        case "wheels":
            return <path class="sign" d="M-24-12H24V8H-24ZM-8 16A5 5 0 1 1-18 16A5 5 0 1 1-8 16M18 16A5 5 0 1 1 8 16A5 5 0 1 1 18 16" />;
        case "objective":
            return <path class="sign filled" d="M-8-24V24M-8-22L16-13L-8-4" />;
        case "smoke":
            return <path class="sign" d="M-18 8a10 10 0 0 1 2-19a13 13 0 0 1 24-2a10 10 0 0 1 8 21z" />;
        case "mines":
            return <path class="sign" d="M-14-14L14 14M14-14L-14 14M0-20V20M-20 0H20" />;
        case "unknown":
            return <text class="query" y={16}>?</text>;
        case "none":
            return null;
    }
}
