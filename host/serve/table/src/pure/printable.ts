// Text from outside made fit to be shown: what a mod, a scenario or a player
// wrote may not turn the direction of reading or hide letters. What cannot be
// shown is written as its number, as the program itself writes it. Text that is
// sent back stays as it is.
import { options, type VNode } from "preact";

const HIDDEN =
    /[\p{Cc}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{fdd0}-\u{fdef}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}\p{Noncharacter_Code_Point}]/gu;
const SPACES = /^[\n\t]$/;
const JOINERS = /^[\u{200c}\u{200d}]$/u;
const VARIANTS = /^[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]$/u;
// One letter of its own: a test must not go on where the last one ended.
const IS_HIDDEN = new RegExp(HIDDEN.source, "u");

export function printable(text: string): string {
    return text.replace(HIDDEN, (letter, at: number) => {
        const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? " ";
        if (SPACES.test(letter)) {
            return letter;
        }
        return isJoined(before, letter) ? letter : `\\u{${letter.codePointAt(0)!.toString(16)}}`;
    });
}

// Persian, the scripts of India and emoji are not written without joiners and
// variants; after an ASCII letter, or another of them, those only hide.
function isJoined(before: string, letter: string): boolean {
    const isPlain = before.codePointAt(0)! < 128;
    const isHidden = IS_HIDDEN.test(before);
    if (JOINERS.test(letter)) {
        return !isPlain && (!isHidden || VARIANTS.test(before));
    }
    return VARIANTS.test(letter) && !isPlain && !isHidden;
}

// What a field of a form holds is given back as it is.
const GIVEN_BACK = new Set(["value", "defaultValue", "key", "ref"]);

function shown(child: unknown): unknown {
    if (typeof child === "string") {
        return printable(child);
    }
    return Array.isArray(child) ? child.map(shown) : child;
}

function cleaned(node: VNode): void {
    const props = node.props as Record<string, unknown>;
    const isElement = typeof node.type === "string";
    for (const [name, value] of Object.entries(props)) {
        const isText = name === "children" || (isElement && typeof value === "string" && !GIVEN_BACK.has(name));
        if (isText) {
            props[name] = shown(value);
        }
    }
}

/** From now on everything that is drawn is drawn printable. */
export function drawPrintable(): void {
    const before = options.vnode;
    options.vnode = (node) => {
        cleaned(node);
        before?.(node);
    };
}
