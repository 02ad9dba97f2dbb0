// A server to test against: the program itself, with links for each seat; or
// the page alone, for tests that play the server's part.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";

declare const TABLE_ROOT: string;

const PROGRAM = process.env.HOUSERULE ?? join(TABLE_ROOT, "../../../target/debug/houserule");
const MODS = process.env.HOUSERULE_MODS ?? join(TABLE_ROOT, "../../../mods");

export type Served = {
    links: Record<string, string>;
    /** What it printed. */
    output: () => string;
    /** Ends it as a power cut does, and leaves the journal. */
    kill: () => Promise<void>;
    stop: () => void;
};

/** A folder of a test's own, and what is copied into it. */
export function folderWith(...folders: string[]): string {
    const folder = mkdtempSync(join(tmpdir(), "table-"));
    for (const one of folders) cpSync(join(TABLE_ROOT, "../../..", one), join(folder, basename(one)), { recursive: true });
    return folder;
}

/** `houserule serve` with a scenario, until it has told its links. */
export async function serve(scenario: string, ...options: string[]): Promise<Served> {
    const folder = folderWith();
    const served = await serveIn(folder, scenario, "--mods", MODS, "--journal", join(folder, "game.journal"), ...options);
    const stop = () => {
        served.stop();
        rmSync(folder, { recursive: true, force: true });
    };
    return { ...served, stop };
}

/** The same in a folder, by all arguments that are given. */
export function serveIn(folder: string, ...args: string[]): Promise<Served> {
    const at = args.includes("--at") ? [] : ["--at", "127.0.0.1:0"];
    const program = spawn(PROGRAM, ["serve", ...args, ...at], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const kill = () =>
        new Promise<void>((ended) => {
            program.on("exit", () => ended());
            program.kill("SIGKILL");
        });
    return new Promise((ready, fail) => {
        let wrong = "";
        program.stderr.on("data", (data) => (wrong += data));
        program.on("error", fail);
        program.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${wrong}`)));
        program.stdout.on("data", (data) => {
            output += data;
            const links = Object.fromEntries([...output.matchAll(/^\s*(\S+)\s+(http:\S+)\s*$/gm)].map((found) => [found[1] as string, found[2] as string]));
            if (output.includes("Ctrl-C ends it")) ready({ links, output: () => output, kill, stop: () => program.kill() });
        });
    });
}

/** Runs the program to its end: what it printed, and how it ended. */
export function run(folder: string, ...args: string[]): { code: number | null; output: string } {
    const ran = spawnSync(PROGRAM, args, { cwd: folder, encoding: "utf8" });
    return { code: ran.status, output: `${ran.stdout}${ran.stderr}` };
}

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

/** The built page alone, without a game behind it. */
export function pageAlone(): Promise<{ url: string; stop: () => void }> {
    const server = createServer((request, response) => {
        const path = request.url === "/" ? "/index.html" : (request.url ?? "");
        try {
            const bytes = readFileSync(join(TABLE_ROOT, "dist", path));
            response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
            response.setHeader("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'");
            response.end(bytes);
        } catch {
            response.statusCode = 404;
            response.end();
        }
    });
    return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close() })));
}
