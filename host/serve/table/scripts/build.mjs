// Builds dist/: one script, one style sheet, one page. The same sources give
// the same bytes; `--check` builds beside it and compares.
import { mkdtempSync, readFileSync, readdirSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

async function buildInto(folder) {
    mkdirSync(folder, { recursive: true });
    await build({
        absWorkingDir: root,
        entryPoints: { table: "src/main.tsx" },
        outdir: folder,
        bundle: true,
        minify: true,
        format: "iife",
        target: ["es2022"],
        charset: "utf8",
        legalComments: "none",
        banner: { js: "/* Houserule table. Contains Preact, copyright Jason Miller, MIT license. */" },
        jsx: "automatic",
        jsxImportSource: "preact",
        logLevel: "warning",
    });
    cpSync(join(root, "src/index.html"), join(folder, "index.html"));
}

if (process.argv.includes("--check")) {
    const folder = mkdtempSync(join(tmpdir(), "table-"));
    await buildInto(folder);
    const names = readdirSync(folder).sort();
    const stale = names.filter((name) => !sameBytes(join(folder, name), join(dist, name)));
    const extra = readdirSync(dist).filter((name) => !names.includes(name));
    rmSync(folder, { recursive: true });
    if (stale.length + extra.length > 0) {
        console.error(`dist/ is stale: ${[...stale, ...extra].join(", ")}; run \`npm run build\``);
        process.exit(1);
    }
} else {
    rmSync(dist, { recursive: true, force: true });
    await buildInto(dist);
}

function sameBytes(a, b) {
    try {
        return readFileSync(a).equals(readFileSync(b));
    } catch {
        return false;
    }
}
