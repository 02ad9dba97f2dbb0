// The rules in force, clause by clause with their sentences. The referee
// switches them in play: what is ticked is tried all at once.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useRead, useTable } from "./held.ts";
import { count } from "../pure/format.ts";
import { choicesOf, isAskedFor, NOTHING_CHOSEN, ruled, sizeOf, withClause, withOption, type Chosen } from "../pure/rules.ts";
import type { ClauseAbout, GroupAbout, ModRules, OptionAbout, Past } from "../protocol.ts";

export function Rules() {
    const table = useTable();
    const rules = useRead((state) => state.rules);
    const isReferee = useRead((state) => state.role === "referee");
    const isSending = useRead((state) => state.isChoosing);
    const [search, seek] = useState("");
    const [chosen, choose] = useState<Chosen>(NOTHING_CHOSEN);
    useEffect(() => void table.lookUpRules(), [table]);
    useEffect(() => choose(NOTHING_CHOSEN), [rules]);
    const shown = useMemo(() => (rules ? rules.map((mod) => isAskedFor(mod, search)).filter((mod) => mod !== null) : []), [rules, search]);
    const changes = sizeOf(chosen);
    return (
        <section class="rules" aria-label="Rules in force">
            <div class="heading">
                <h2>Rules</h2>
                <input type="search" placeholder="Search" aria-label="Search the rules" value={search} onInput={(event) => seek(event.currentTarget.value)} />
            </div>
            {rules === null && <p class="note" role="status">Looking up the rules…</p>}
            {rules !== null && shown.length === 0 && <p class="note">No rule has these words.</p>}
            {shown.map((mod) => (
                <Mod key={mod.id} mod={mod} isOpen={search !== ""} chosen={chosen} choose={isReferee && !isSending ? choose : null} />
            ))}
            {changes > 0 && <Apply changes={changes} isSending={isSending} undo={() => choose(NOTHING_CHOSEN)} apply={(past) => void table.chooseRules(chosen, past)} />}
        </section>
    );
}

type Choose = ((change: (chosen: Chosen) => Chosen) => void) | null;

function Mod({ mod, isOpen, chosen, choose }: { mod: ModRules; isOpen: boolean; chosen: Chosen; choose: Choose }) {
    const isOn = ruled(chosen, mod.id, mod.on);
    return (
        <section class="mod" aria-label={mod.title}>
            <h3>{mod.title}</h3>
            {mod.text && <p class="note">{mod.text}</p>}
            {!mod.on && (
                <label class="clause">
                    <input type="checkbox" checked={isOn} disabled={choose === null} onChange={(event) => choose?.((now) => withClause(now, mod.id, event.currentTarget.checked, mod.on))} />
                    <span>Play by it too</span>
                </label>
            )}
            {mod.groups.map((group) => <Group key={group.id} group={group} isOpen={isOpen} isModOn={mod.on} chosen={chosen} choose={choose} />)}
            {mod.on && mod.options.length > 0 && (
                <details open={isOpen}>
                    <summary>Options <small>{count(mod.options.length, "option")}</small></summary>
                    <ul>{mod.options.map((option) => <OptionOf key={option.id} option={option} value={chosen.options.get(option.id) ?? option.value} choose={choose} />)}</ul>
                </details>
            )}
        </section>
    );
}

function Group({ group, isOpen, isModOn, chosen, choose }: { group: GroupAbout; isOpen: boolean; isModOn: boolean; chosen: Chosen; choose: Choose }) {
    const on = group.clauses.filter((clause) => ruled(chosen, clause.id, clause.on)).length;
    return (
        <details open={isOpen}>
            <summary>{group.title} <small>{isModOn ? `${on} of ${group.clauses.length} in force` : count(group.clauses.length, "clause")}</small></summary>
            {group.text && <p class="note">{group.text}</p>}
            <ul>{group.clauses.map((clause) => <ClauseOf key={clause.id} clause={clause} isModOn={isModOn} isOn={ruled(chosen, clause.id, clause.on)} choose={choose} />)}</ul>
        </details>
    );
}

function ClauseOf({ clause, isModOn, isOn, choose }: { clause: ClauseAbout; isModOn: boolean; isOn: boolean; choose: Choose }) {
    const isFixed = choose === null || !isModOn || (clause.core && clause.on);
    const id = `clause-${clause.id}`;
    return (
        <li class={isOn === clause.on ? "" : "changed"}>
            <label class="clause">
                <input type="checkbox" checked={isOn} disabled={isFixed} aria-describedby={id} onChange={(event) => choose?.((now) => withClause(now, clause.id, event.currentTarget.checked, clause.on))} />
                <span>{clause.title}{clause.core && <small> always in force</small>}</span>
            </label>
            <p id={id}>{clause.text} <cite>{clause.source}</cite></p>
        </li>
    );
}

function OptionOf({ option, value, choose }: { option: OptionAbout; value: string; choose: Choose }) {
    const id = `option-${option.id}`;
    const set = (to: string) => choose?.((now) => withOption(now, option.id, to, option.value));
    const choices = choicesOf(option.type);
    return (
        <li class={value === option.value ? "" : "changed"}>
            <label class="option">
                <span>{option.title}</span>
                {choices ? (
                    <select value={value} disabled={choose === null} aria-describedby={id} onChange={(event) => set(event.currentTarget.value)}>
                        {choices.map((one) => <option key={one.value} value={one.value}>{one.text}</option>)}
                    </select>
                ) : (
                    <input type="text" value={value} disabled={choose === null} aria-describedby={id} onChange={(event) => set(event.currentTarget.value.trim())} />
                )}
            </label>
            <p id={id}>{option.text}</p>
        </li>
    );
}

function Apply({ changes, isSending, apply, undo }: { changes: number; isSending: boolean; apply: (past: Past) => void; undo: () => void }) {
    return (
        <div class="apply" role="group" aria-label="What is chosen">
            <p>{count(changes, "change")}. The game so far is played again by them, or stays as it was.</p>
            <div class="stops">
                <button type="button" class="primary" disabled={isSending} onClick={() => apply("as_always")}>As if always</button>
                <button type="button" disabled={isSending} onClick={() => apply("from_now")}>From now on</button>
                <button type="button" class="quiet" disabled={isSending} onClick={undo}>Leave it</button>
            </div>
        </div>
    );
}
