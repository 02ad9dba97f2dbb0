import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "preact";
import { drawPrintable, printable } from "../../src/pure/printable.ts";

const HOSTILE = "a\u202eb\u2066c\u200fd\u061c\u200be\u001b[31m\u0085\ufeff";
const SHOWN = "a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}\\u{200b}e\\u{1b}[31m\\u{85}\\u{feff}";

test("what steers is written as its number", () => {
    assert.equal(printable(HOSTILE), SHOWN);
    assert.equal(printable("one\n\ttwo"), "one\n\ttwo");
    assert.equal(printable("שלום, Füße, 戦車"), "שלום, Füße, 戦車");
});

test("scripts and emoji that need joiners keep them", () => {
    for (const text of ["می\u200cخواهم", "क्\u200dष", "👩\u200d🚀", "❤\ufe0f\u200d🔥"]) {
        assert.equal(printable(text), text);
    }
    assert.equal(printable("ad\u200dmin"), "ad\\u{200d}min");
    assert.equal(printable("戦\u200d\u200d"), "戦\u200d\\u{200d}");
});

test("every element draws printable text, and gives back what it was given", () => {
    const before = h("p", { title: HOSTILE }, HOSTILE) as { props: { title: string } };
    assert.equal(before.props.title, HOSTILE);
    drawPrintable();
    const node = h("p", { title: HOSTILE, "aria-label": HOSTILE }, "x ", [HOSTILE, 3, ["y", HOSTILE]]);
    assert.deepEqual(node.props, {
        title: SHOWN,
        "aria-label": SHOWN,
        children: ["x ", [SHOWN, 3, ["y", SHOWN]]],
    });
    const field = h("input", { value: HOSTILE, onInput: () => undefined });
    assert.equal(field.props.value, HOSTILE);
});
