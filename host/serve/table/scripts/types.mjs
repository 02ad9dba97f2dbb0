// Writes src/wire.ts: the types of what crosses the line, from the schema that
// the engine publishes. With --check it only says whether the file is fresh.
import { readFileSync, writeFileSync } from "node:fs";

const SCHEMA = new URL("../../../../schemas/json/rpc.json", import.meta.url);
const OUT = new URL("../src/wire.ts", import.meta.url);

const schema = JSON.parse(readFileSync(SCHEMA, "utf8"));

function comment(text, indent) {
    if (!text) return "";
    const lines = text.replaceAll("*/", "* /").split("\n");
    return `${indent}/** ${lines.join(`\n${indent} *  `)} */\n`;
}

function typeOf(node, indent) {
    if (node === true || node === undefined) return "unknown";
    const parts = [];
    if (node.$ref) parts.push(node.$ref.replace("#/$defs/", ""));
    if (node.const !== undefined) parts.push(JSON.stringify(node.const));
    else if (node.enum) parts.push(node.enum.map((value) => JSON.stringify(value)).join(" | "));
    else if (node.oneOf ?? node.anyOf) {
        const options = (node.oneOf ?? node.anyOf).map((option) => typeOf(option, indent));
        parts.push(`(${options.join(" | ")})`);
        if (node.properties) parts.push(objectOf(node, indent));
    } else if (Array.isArray(node.type)) {
        parts.push(`(${node.type.map((type) => typeOf({ ...node, type, $ref: undefined }, indent)).join(" | ")})`);
    } else if (node.type === "object" || node.properties) parts.push(objectOf(node, indent));
    else if (node.type === "array") parts.push(arrayOf(node, indent));
    else if (node.type === "integer" || node.type === "number") parts.push("number");
    else if (node.type === "string" || node.type === "boolean" || node.type === "null") parts.push(node.type);
    return parts.length === 0 ? "unknown" : parts.join(" & ");
}

function arrayOf(node, indent) {
    const item = typeOf(node.items, indent);
    if (node.minItems !== undefined && node.minItems === node.maxItems && node.minItems <= 4) {
        return `[${Array(node.minItems).fill(item).join(", ")}]`;
    }
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
}

function objectOf(node, indent) {
    const properties = Object.entries(node.properties ?? {});
    if (properties.length === 0) {
        const rest = Object.values(node.patternProperties ?? {})[0] ?? node.additionalProperties;
        return rest && typeof rest === "object" ? `{ [name: string]: ${typeOf(rest, indent)} }` : "Record<never, never>";
    }
    const inner = `${indent}    `;
    const lines = properties.map(([name, value]) => {
        const mark = (node.required ?? []).includes(name) ? "" : "?";
        return `${comment(value.description, inner)}${inner}${name}${mark}: ${typeOf(value, inner)};\n`;
    });
    return `{\n${lines.join("")}${indent}}`;
}

let text = "// Generated from schemas/json/rpc.json by `npm run types`; not to be edited.\n";
for (const [name, node] of Object.entries(schema.$defs)) {
    text += `\n${comment(node.description, "")}export type ${name} = ${typeOf(node, "")};\n`;
}
const table = (nodes) => Object.entries(nodes).map(([name, node]) => `    ${name}: ${typeOf(node, "    ")};\n`).join("");
text += `\n/** What each method gives. */\nexport type Results = {\n${table(schema.results)}};\n`;
text += `\n/** What is told without having been asked for. */\nexport type Notices = {\n${table(schema.notifications)}};\n`;

if (process.argv.includes("--check")) {
    if (readFileSync(OUT, "utf8") !== text) {
        console.error("src/wire.ts is stale: run `npm run types`");
        process.exit(1);
    }
} else {
    writeFileSync(OUT, text);
}
