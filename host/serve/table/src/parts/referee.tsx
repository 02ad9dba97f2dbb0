// What a referee rules: taking back and making again, bots, seats.
import { useState } from "preact/hooks";
import { useRead, useTable } from "./held.ts";
import { titleOf } from "./top.tsx";
import { momentOf } from "../pure/log.ts";
import type { SeatAbout } from "../protocol.ts";

export function Referee() {
    const table = useTable();
    const catalogue = useRead((state) => state.catalogue);
    const [seats, show] = useState<readonly SeatAbout[]>([]);
    const look = async () => show(((await table.rule("seats")) ?? []) as SeatAbout[]);
    const revoke = async (number: number) => {
        await table.rule("revoke_seat", { number });
        await look();
    };
    return (
        <section class="referee" aria-label="Rulings">
            <h2>Rulings</h2>
            <div class="stops">
                {catalogue?.undo !== "agreed" && <button type="button" onClick={() => void table.undo()}>Take back</button>}
                <button type="button" onClick={() => void table.rule("redo")}>Make again</button>
                <button type="button" onClick={() => void table.rule("bots")}>Let bots play on</button>
                <button type="button" onClick={() => void table.takeOver()}>Take over saved rules</button>
            </div>
            <WhatIf />
            <Keep />
            <h3>Who plays</h3>
            {catalogue?.sides.map((side) => (
                <label key={side.id} class="plays">
                    <span>{side.title}</span>
                    <select value={side.bot ?? ""} onChange={(event) => void table.setBot(side.id, event.currentTarget.value || null)}>
                        <option value="">people</option>
                        <option value="greedy">a bot that plays to win</option>
                        <option value="random">a bot that plays anything</option>
                    </select>
                </label>
            ))}
            <h3>Seats</h3>
            <button type="button" onClick={() => void look()}>Show the seats</button>
            <ul class="seats">
                {seats.map((seat) => (
                    <li key={seat.number}>
                        <span>{seatText(seat, (side) => titleOf(catalogue, side))}</span>
                        <button type="button" class="quiet" onClick={() => void revoke(seat.number)}>Take away</button>
                    </li>
                ))}
            </ul>
        </section>
    );
}

/** Games beside this one, each in a window of its own. */
function WhatIf() {
    const table = useTable();
    const branches = useRead((state) => state.branches);
    const isPast = useRead((state) => state.past !== null);
    return (
        <section aria-label="What if">
            <h3>What if?</h3>
            <p class="note">A game beside this one, in which you play all sides. This one stays as it is.</p>
            <button type="button" onClick={() => void table.branch()}>{isPast ? "Play on from the moment shown" : "Play on from here"}</button>
            <ul class="branches">
                {branches.map((branch) => <li key={branch.link}><a href={branch.link} target="_blank" rel="noopener">{branch.text}</a></li>)}
            </ul>
        </section>
    );
}

/** What happened, or the game so far, as a file of a mod, which `houserule test` plays. */
function Keep() {
    const table = useTable();
    const kept = useRead((state) => state.kept);
    const isKeeping = useRead((state) => state.isKeeping);
    const moment = useRead((state) => momentOf(state.match.events, state.why?.event ?? state.past?.at ?? null));
    const [id, name] = useState("");
    const [title, call] = useState("");
    const [isWhole, choose] = useState(false);
    const isWord = /^[a-z0-9][a-z0-9_-]*$/.test(id);
    const isGame = isWhole || moment === null;
    const keep = (event: Event) => {
        event.preventDefault();
        if (isWord) void table.keepAsTest(id, title, isGame ? null : moment.number);
    };
    const save = () => {
        if (!kept) return;
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([kept.text], { type: "text/plain" }));
        link.download = kept.path.slice(kept.path.lastIndexOf("/") + 1);
        link.click();
        URL.revokeObjectURL(link.href);
    };
    return (
        <section aria-label="Keep this as a test">
            <h3>Keep this as a test</h3>
            <p class="note">A file of your mod, which is played again whenever rules change.</p>
            <form class="keep" onSubmit={keep}>
                <fieldset>
                    <legend>What it keeps</legend>
                    <label class="one-of"><input type="radio" name="what" checked={!isGame} disabled={moment === null} onChange={() => choose(false)} /><span>{moment ? <>This moment: <em>{moment.text[0]?.trim()}</em></> : "One moment"}</span></label>
                    <label class="one-of"><input type="radio" name="what" checked={isGame} onChange={() => choose(true)} /><span>The whole game so far</span></label>
                </fieldset>
                {!isGame && <p class="note">Another moment: choose its line in the log.</p>}
                <label>Name of the file <input type="text" value={id} required spellcheck={false} pattern="[a-z0-9][a-z0-9_\-]*" title="Lower case letters, digits, - and _" onInput={(event) => name(event.currentTarget.value)} /></label>
                <label>What it shows <input type="text" value={title} onInput={(event) => call(event.currentTarget.value)} /></label>
                <button type="submit" disabled={!isWord || isKeeping}>Keep</button>
            </form>
            {isKeeping && <p role="status" class="note">The moment is played again and again, until nothing more can be left out.</p>}
            {kept && (
                <div class="kept">
                    <p role="status">{`${kept.words} Put it into your mod as ${kept.path}, then run houserule test.`}</p>
                    <textarea readOnly rows={8} aria-label="The test" value={kept.text} />
                    <button type="button" class="primary" onClick={save}>Save the file</button>
                </div>
            )}
        </section>
    );
}

function seatText({ at }: SeatAbout, title: (side: string) => string): string {
    return at.seat === "sides" ? at.sides.map(title).join(", ") : at.seat;
}
