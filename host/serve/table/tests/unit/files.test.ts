import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

declare const TABLE_ROOT: string;

function run(...args: string[]): string {
    const ran = spawnSync(process.execPath, args, { cwd: TABLE_ROOT, encoding: "utf8" });
    return ran.status === 0 ? "" : ran.stderr;
}

test("the types of the wire are those of the schema", () => assert.equal(run("scripts/types.mjs", "--check"), ""));

test("dist is what the sources build, byte for byte", () => assert.equal(run("scripts/build.mjs", "--check"), ""));
