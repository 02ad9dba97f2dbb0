import { render } from "preact";
import { App } from "./parts/app.tsx";
import { Held } from "./parts/held.ts";
import { drawPrintable } from "./pure/printable.ts";
import { takeOtherLinks } from "./seat.ts";
import { Table } from "./table.ts";
import "./table.css";

drawPrintable();
takeOtherLinks();
const table = new Table();
const root = document.getElementById("table");
if (root) {
    render(
        <Held.Provider value={table}>
            <App />
        </Held.Provider>,
        root,
    );
    table.start();
}
