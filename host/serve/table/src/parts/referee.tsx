// What a referee rules: taking back and making again, bots, seats.
import { useState } from "preact/hooks";
import { useRead, useTable } from "./held.ts";
import { titleOf } from "./top.tsx";
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
                <button type="button" onClick={() => void table.undo()}>Take back</button>
                <button type="button" onClick={() => void table.rule("redo")}>Make again</button>
                <button type="button" onClick={() => void table.rule("bots")}>Let bots play on</button>
                <button type="button" onClick={() => void table.rule("reload", { past: "as_always" })}>Take over saved rules</button>
            </div>
            <h3>Who plays</h3>
            {catalogue?.sides.map((side) => (
                <label key={side.id} class="plays">
                    <span>{side.title}</span>
                    <select onChange={(event) => void table.rule("set_bot", { side: side.id, bot: event.currentTarget.value || null })}>
                        <option value="" selected={!side.bot}>people</option>
                        <option value="greedy" selected={side.bot === "greedy"}>a bot that plays to win</option>
                        <option value="random" selected={side.bot === "random"}>a bot that plays anything</option>
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

function seatText({ at }: SeatAbout, title: (side: string) => string): string {
    return at.seat === "sides" ? at.sides.map(title).join(", ") : at.seat;
}
