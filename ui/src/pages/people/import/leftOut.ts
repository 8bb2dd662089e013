import { type Place, problemColumn } from "./columns";

/** A row that was not imported. */
export interface LeftOutRow {
    line: number;
    cells: string[];
    problem: string;
}

export const shownMax = 10;
const textMax = 1 << 20;

function field(text: string, delimiter: string): string {
    const plain = !/^\s|["\r\n]|\s$/.test(text) && !text.includes(delimiter);
    return plain ? text : `"${text.replaceAll('"', '""')}"`;
}

/**
 * The rows that were left out, as a file that can be mended and imported. There may be as many as
 * the file has: what is long goes to blobs, which the browser keeps outside of the page.
 */
export class LeftOut {
    count = 0;
    readonly first: LeftOutRow[] = [];
    private readonly blobs: Blob[] = [];
    private text: string;
    private readonly delimiter: string;
    /** The column of an earlier import that told what was wrong. */
    private readonly old: number;

    constructor(delimiter: string, columns: string[], places: Place[]) {
        this.delimiter = delimiter;
        this.old = columns[0] === problemColumn && places[0] === "out" ? 0 : -1;
        // Excel takes a file for UTF-8 only with this mark.
        this.text = `\ufeff${this.line(problemColumn, columns)}`;
    }

    add(row: LeftOutRow, said: string): void {
        this.count++;
        if (this.first.length < shownMax) this.first.push(row);
        this.text += this.line(said, row.cells);
        if (this.text.length < textMax) return;
        this.blobs.push(new Blob([this.text]));
        this.text = "";
    }

    file(): Blob {
        return new Blob([...this.blobs, this.text], { type: "text/csv" });
    }

    // First, because some rows have too many fields.
    private line(problem: string, cells: string[]): string {
        const kept = cells.filter((_, index) => index !== this.old);
        return `${[problem, ...kept].map((one) => field(one, this.delimiter)).join(this.delimiter)}\r\n`;
    }
}
