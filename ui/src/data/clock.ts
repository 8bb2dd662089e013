import { guess, narrowed, type Offset } from "./offset";

// The browser's clock may be wrong by hours: ages and countdowns are of the server's, which every
// answer of the API says.
let known: Offset | undefined;
let ahead = 0;
/** Gets by how many milliseconds the guess has changed. */
type Listener = (by: number) => void;
const listeners = new Set<Listener>();

/** The moment by the clock of the server, as far as it is known. */
export const now = () => Date.now() + ahead;

/** The same as a date. */
export const today = () => new Date(now());

/** Learns from an answer what the server's clock says. */
export function heard(response: Response, asked: number): void {
    // An answer that a cache has kept is of another moment.
    if (response.headers.has("age")) return;
    const date = Date.parse(response.headers.get("date") ?? "");
    if (Number.isNaN(date)) return;
    known = narrowed(known, { asked, came: Date.now(), date });
    const next = guess(known);
    // Not for every answer: what is shown would be drawn again for nothing.
    if (Math.abs(next - ahead) < 250) return;
    const by = next - ahead;
    ahead = next;
    for (const one of listeners) one(by);
}

/** Calls when it turned out that the clock is another one. */
export function onClock(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}
