import { FileProblem } from "./problem";
import type { Answer, Reading } from "./worker";

/**
 * What a worker reads of a file, so that the page stays quick: the next is read while this one is
 * used. Ends when it is stopped.
 */
export async function* readInWorker<T>(reading: Reading, signal: AbortSignal): AsyncGenerator<T> {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const stopped = new Promise<Answer>((resolve) => {
        signal.addEventListener("abort", () => resolve({ done: true }), { once: true });
    });
    const next = () => {
        const answer = new Promise<Answer>((resolve) => {
            worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
            worker.onerror = () => resolve({ failed: { code: "unreadable", line: 0 } });
            worker.postMessage(reading);
        });
        return Promise.race([answer, stopped]);
    };
    try {
        let coming = next();
        while (!signal.aborted) {
            const { value, done, failed } = await coming;
            if (failed) throw new FileProblem(failed.code, failed.line);
            if (done) return;
            coming = next();
            yield value as T;
        }
    } finally {
        worker.terminate();
    }
}
