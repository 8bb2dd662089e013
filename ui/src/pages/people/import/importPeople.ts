import { api, call } from "@/data/api";
import { say } from "@/words";
import { noteSource } from "../source";
import { KeyCount } from "./keyCount";
import { LeftOut, type LeftOutRow } from "./leftOut";
import type { Mapping, PartRow } from "./parts";
import { readInWorker } from "./reader";
import { type Refused, savePeople, waitFor } from "./send";
import { importWords } from "./words";

export interface ImportProgress {
    /** Read and dealt with. */
    rows: number;
    people: number;
    leftOut: number;
    /** In how many seconds the server is asked again. */
    waiting?: number;
}

/** What the viewer decides: the server takes some rows not, or none at all. */
export interface Question {
    refused?: LeftOutRow[];
    error?: unknown;
}

export interface Outcome extends ImportProgress {
    stopped: boolean;
    left: LeftOut;
}

interface Options {
    file: Blob;
    mapping: Mapping;
    signal: AbortSignal;
    onProgress: (progress: ImportProgress) => void;
    /** Whether to go on. */
    ask: (question: Question) => Promise<boolean>;
}

const save = (rows: PartRow[], signal: AbortSignal) =>
    noteSource(
        call(api.POST("/v1/people", { body: { people: rows.map((row) => row.person!) }, signal })),
    );

function problemOf({ wrong, cells }: PartRow, columns: number): string {
    return say(importWords, `row_${wrong!}`, { fields: cells.length, columns });
}

/** One import: reads the file once more and saves it part by part. */
class Import {
    private readonly options: Options;
    private readonly left: LeftOut;
    private readonly keys = new KeyCount();
    private rows = 0;
    /** The viewer knows that rows are refused, and goes on without them. */
    private agreed = false;

    constructor(options: Options) {
        this.options = options;
        const { format, columns, places } = options.mapping;
        this.left = new LeftOut(format.delimiter, columns, places);
    }

    outcome(stopped: boolean): Outcome {
        return { ...this.progress(), stopped, left: this.left };
    }

    /** Whether to go on with the next part. */
    async take(part: PartRow[]): Promise<boolean> {
        const good: PartRow[] = [];
        for (const row of part) {
            if (row.person) good.push(row);
            else this.leaveOut(row, problemOf(row, this.options.mapping.columns.length));
        }
        const refused = await this.saveOrAsk(good);
        if (!refused) return false;
        const bad = new Set(refused.map((one) => one.person));
        for (const row of good) if (!bad.has(row)) this.keys.add(row.person!.key);
        refused.sort((a, b) => a.person.line - b.person.line);
        const rows = refused.map((one) => this.leaveOut(one.person, one.why));
        this.rows += part.length;
        this.options.onProgress(this.progress());
        if (rows.length === 0 || this.agreed) return true;
        this.agreed = await this.options.ask({ refused: rows });
        return this.agreed;
    }

    private progress(): ImportProgress {
        return { rows: this.rows, people: this.keys.count, leftOut: this.left.count };
    }

    private leaveOut({ line, cells }: PartRow, problem: string): LeftOutRow {
        const row = { line, cells, problem };
        this.left.add(row, say(importWords, "atLine", { line, problem }));
        return row;
    }

    /** The rows that the server refused; undefined: the viewer stops. */
    private async saveOrAsk(rows: PartRow[]): Promise<Refused<PartRow>[] | undefined> {
        const { signal, onProgress, ask } = this.options;
        const wait = (seconds: number) => {
            onProgress({ ...this.progress(), waiting: seconds });
            return waitFor(seconds, signal);
        };
        for (;;) {
            try {
                return await savePeople(rows, save, wait, signal);
            } catch (error) {
                if (signal.aborted || !(await ask({ error }))) return undefined;
            }
        }
    }
}

/** Saves the people of a file, and says what became of its rows. */
export async function importPeople(options: Options): Promise<Outcome> {
    const { file, mapping, signal } = options;
    const run = new Import(options);
    for await (const part of readInWorker<PartRow[]>({ file, mapping }, signal)) {
        if (!(await run.take(part))) return run.outcome(true);
    }
    return run.outcome(signal.aborted);
}
