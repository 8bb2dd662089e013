import { within } from "./until.js";

export interface StreamMessage {
    id?: string;
    event?: string;
    data: any;
}

/** Reads an event stream as it is on the wire, without the client's code. */
export class RawStream {
    private text = "";
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
    private readonly decoder = new TextDecoder();

    constructor(response: Response) {
        this.reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    }

    /** The next message, or nothing when the stream has ended. Comments are left out. */
    async next(): Promise<StreamMessage | undefined> {
        // A stream that tells nothing still sends comments.
        return await within("a message", this.read());
    }

    private async read(): Promise<StreamMessage | undefined> {
        for (;;) {
            const end = this.text.indexOf("\n\n");
            if (end >= 0) {
                const block = this.text.slice(0, end);
                this.text = this.text.slice(end + 2);
                const message = parse(block);
                if (message) return message;
                continue;
            }
            const { done, value } = await this.reader.read();
            if (done) return undefined;
            this.text += this.decoder.decode(value, { stream: true });
        }
    }

    /** All messages until the stream ends. */
    async rest(): Promise<StreamMessage[]> {
        const all: StreamMessage[] = [];
        for (let one = await this.next(); one; one = await this.next()) all.push(one);
        return all;
    }

    async close(): Promise<void> {
        await this.reader.cancel();
    }
}

function parse(block: string): StreamMessage | undefined {
    const fields: Record<string, string> = {};
    for (const line of block.split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
    }
    const { id, event, data } = fields;
    if (data === undefined) return undefined;
    return { ...(id ? { id } : {}), ...(event ? { event } : {}), data: JSON.parse(data) };
}
