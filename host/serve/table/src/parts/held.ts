// How parts of the screen read the table: each names what it reads, and is
// drawn again when that is another.
import { createContext } from "preact";
import { useContext, useEffect, useReducer, useRef } from "preact/hooks";
import { entityIn } from "../pure/format.ts";
import type { Plain } from "../protocol.ts";
import type { State } from "../state.ts";
import type { Table } from "../table.ts";

export const Held = createContext<Table | null>(null);

export function useTable(): Table {
    const table = useContext(Held);
    if (!table) throw new Error("a part of the table stands outside of it");
    return table;
}

/** What a part reads of the state. */
export function useRead<Read>(read: (state: State) => Read): Read {
    const table = useTable();
    const [, again] = useReducer((n: number) => n + 1, 0);
    const now = read(table.state);
    const last = useRef(now);
    last.current = now;
    const reading = useRef(read);
    reading.current = read;
    useEffect(() => {
        const look = () => {
            if (!Object.is(reading.current(table.state), last.current)) again(0);
        };
        look();
        return table.listen(look);
    }, [table]);
    return now;
}

/** What is lit on the board while something in a list is pointed at; it goes out too when the list is another. */
export function useLit(list: unknown): (value: Plain | undefined) => { on: () => void; off: () => void } {
    const table = useTable();
    const isLit = useRef(false);
    const light = (entity: number | null) => {
        isLit.current = entity !== null;
        table.point(entity);
        table.highlight(entity === null ? [] : [entity]);
    };
    const off = () => isLit.current && light(null);
    useEffect(() => () => void off(), [list, table]);
    return (value) => ({ on: () => light(entityIn(value)), off: () => void off() });
}
