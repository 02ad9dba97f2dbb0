// The token of a seat: it comes in the fragment of the link, which no server
// ever sees, and is kept for this tab alone.
const KEY = "houserule.token";

/** The room that a link leads to; the first of the server without one. */
export function roomOfPage(): string {
    const room = new URLSearchParams(location.search).get("room");
    return room ? `/${encodeURIComponent(room)}` : "";
}

/** A link to a seat in another room of this server. */
export function linkTo(room: string, token: string): string {
    return `${location.origin}/?room=${encodeURIComponent(room)}#${token}`;
}

/** Takes the token out of the address, where neighbours might read it. */
export function tokenOfPage(): string | null {
    const given = location.hash.slice(1);
    if (given !== "") {
        sessionStorage.setItem(KEY, given);
        history.replaceState(null, "", location.pathname + location.search);
    }
    return sessionStorage.getItem(KEY);
}

/** Somebody opens the link of another seat in this window: the address alone would change, and nothing else. */
export function takeOtherLinks(): void {
    addEventListener("hashchange", () => {
        if (location.hash.length > 1) location.reload();
    });
}

/** A text that nobody else will send. */
export function newKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
