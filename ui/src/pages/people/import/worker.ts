import { checkFile } from "./check";
import { type Mapping, readParts } from "./parts";
import { FileProblem, type FileProblemCode } from "./problem";

/** What the worker reads; every message asks for the next of it. */
export interface Reading {
    file: Blob;
    /** For a check; nothing: it is guessed. */
    encoding?: string | undefined;
    /** For the people; nothing: the file is checked. */
    mapping?: Mapping;
}

export interface Answer {
    value?: unknown;
    done?: boolean;
    failed?: { code: FileProblemCode; line: number };
}

let values: AsyncGenerator<unknown> | undefined;

async function answer({ file, encoding, mapping }: Reading): Promise<Answer> {
    try {
        values ??= mapping ? readParts(file, mapping) : checkFile(file, encoding);
        const { value, done } = await values.next();
        return { value, done: done ?? false };
    } catch (error) {
        const known = error instanceof FileProblem ? error : new FileProblem("unreadable");
        return { failed: { code: known.code, line: known.line } };
    }
}

addEventListener("message", async (event: MessageEvent<Reading>) => {
    postMessage(await answer(event.data));
});
