import { PawlError } from "./error.js";

/** One message of an event stream. */
export interface Message {
    id: string | undefined;
    event: string;
    data: string;
}

/** Assembles messages from text that arrives in pieces (HTML Living Standard, 9.2.6). */
export class MessageReader {
    private rest = "";
    private data: string[] = [];
    private event = "";
    private id: string | undefined;

    /** The messages that this piece completes. */
    push(piece: string): Message[] {
        const text = this.rest + piece;
        // A CR at the very end may be the first half of a CRLF.
        const lines = text.replace(/\r$/, "").split(/\r\n|\n|\r/);
        this.rest = (lines.pop() ?? "") + (text.endsWith("\r") ? "\r" : "");
        const complete: Message[] = [];
        for (const line of lines) {
            if (line === "") this.finish(complete);
            else this.field(line);
        }
        return complete;
    }

    private finish(complete: Message[]): void {
        if (this.data.length > 0) {
            const event = this.event || "message";
            complete.push({ id: this.id, event, data: this.data.join("\n") });
        }
        this.data = [];
        this.event = "";
        this.id = undefined;
    }

    private field(line: string): void {
        const colon = line.indexOf(":");
        if (colon === 0) return; // a comment: the connection lives
        const name = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (name === "data") this.data.push(value);
        else if (name === "event") this.event = value;
        else if (name === "id" && !value.includes("\0")) this.id = value;
    }
}

// The server sends a comment every 15 s.
const silence = 45_000;

/** The messages of a response, until it ends. Fails if it is cut or falls silent. */
export async function* messages(response: Response): AsyncGenerator<Message> {
    const type = response.headers.get("content-type") ?? "";
    if (!response.body || !type.startsWith("text/event-stream")) {
        await response.body?.cancel();
        throw new PawlError({ code: "no_stream", detail: `expected an event stream, not ${type}` });
    }
    const source = response.body.getReader();
    const decoder = new TextDecoder();
    const reader = new MessageReader();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => void source.cancel().catch(() => {}), silence);
    };
    try {
        for (;;) {
            watch();
            const { done, value } = await source.read();
            if (done) return;
            yield* reader.push(decoder.decode(value, { stream: true }));
        }
    } finally {
        clearTimeout(timer);
        await source.cancel().catch(() => {});
    }
}
