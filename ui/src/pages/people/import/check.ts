import { type CsvFormat, guessFormat, type Row, readCsv } from "./csv";
import { FileProblem } from "./problem";

const shownRows = 5;
const shownLines = 10;

/** How many rows have something, and the lines of the first of them. */
export interface Lines {
    count: number;
    first: number[];
}

/** What is known of a file once it was read to its end. */
export interface Checked {
    rows: number;
    /** A quote stands where none may. */
    broken: Lines;
    /** Another number of fields than the first line. */
    uneven: Lines;
    /** No value, for each column. */
    empty: Lines[];
}

export interface Head {
    format: CsvFormat;
    columns: string[];
    rows: string[][];
}

export interface CheckStep {
    head?: Head;
    /** In bytes. */
    read: number;
    checked?: Checked;
}

const none = (): Lines => ({ count: 0, first: [] });

function add(lines: Lines, line: number): void {
    lines.count++;
    if (lines.first.length < shownLines) lines.first.push(line);
}

function look(row: Row, columns: number, checked: Checked): void {
    checked.rows++;
    if (row.broken) add(checked.broken, row.line);
    else if (row.cells.length !== columns) add(checked.uneven, row.line);
    else {
        for (const [index, cell] of row.cells.entries()) {
            if (cell === "") add(checked.empty[index]!, row.line);
        }
    }
}

/** Reads a file to its end: first what can be shown, then how far it is, then what is wrong. */
export async function* checkFile(file: Blob, encoding?: string): AsyncGenerator<CheckStep> {
    const format = await guessFormat(file, encoding);
    let columns: string[] | undefined;
    let checked: Checked | undefined;
    for await (const { rows, read } of readCsv(file, format)) {
        let head: Head | undefined;
        if (!columns && rows.length > 0) {
            columns = rows.shift()!.cells.map((name) => name.trim());
            checked = { rows: 0, broken: none(), uneven: none(), empty: columns.map(none) };
            head = { format, columns, rows: rows.slice(0, shownRows).map((row) => row.cells) };
        }
        for (const row of rows) look(row, columns!.length, checked!);
        yield { read, ...(head ? { head } : {}) };
    }
    if (!checked) throw new FileProblem("empty");
    yield { read: file.size, checked };
}
