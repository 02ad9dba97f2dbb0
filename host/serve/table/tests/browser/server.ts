// A server to test against: the program itself, with links for each seat; or
// the page alone, for tests that play the server's part.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

declare const TABLE_ROOT: string;

const PROGRAM = process.env.HOUSERULE ?? join(TABLE_ROOT, "../../../target/debug/houserule");
const MODS = process.env.HOUSERULE_MODS ?? join(TABLE_ROOT, "../../../mods");

export type Served = { links: Record<string, string>; stop: () => void };

/** `houserule serve` with a scenario, until it has told its links. */
export function serve(scenario: string, ...options: string[]): Promise<Served> {
    const folder = mkdtempSync(join(tmpdir(), "table-"));
    const args = ["serve", scenario, "--mods", MODS, "--at", "127.0.0.1:0", "--journal", join(folder, "game.journal"), ...options];
    const program = spawn(PROGRAM, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const stop = () => {
        program.kill();
        rmSync(folder, { recursive: true, force: true });
    };
    return new Promise((ready, fail) => {
        let told = "";
        let wrong = "";
        program.stderr.on("data", (data) => (wrong += data));
        program.on("error", fail);
        program.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${wrong}`)));
        program.stdout.on("data", (data) => {
            told += data;
            const links = Object.fromEntries([...told.matchAll(/^\s*(\S+)\s+(http:\S+)\s*$/gm)].map((found) => [found[1] as string, found[2] as string]));
            if (links.referee) ready({ links, stop });
        });
    });
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
