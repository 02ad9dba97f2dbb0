// Bundles the tests of one folder and runs them by node's own runner:
// `node scripts/test.mjs unit|browser [part of a name]`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder = "unit", part = ""] = process.argv.slice(2);
const out = join(root, "node_modules/.tests", folder);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const names = readdirSync(join(root, "tests", folder)).filter((name) => name.endsWith(".test.ts") && name.includes(part));
await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => `tests/${folder}/${name}`),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    jsx: "automatic",
    jsxImportSource: "preact",
    sourcemap: "inline",
    define: { TABLE_ROOT: JSON.stringify(root) },
    logLevel: "warning",
});
const files = names.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
const ran = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-concurrency=1", ...files], { stdio: "inherit", cwd: root });
process.exit(ran.status ?? 1);
