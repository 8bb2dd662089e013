import Papa from "papaparse";
import { FileProblem } from "./problem";

/** How the text of a file is to be read. */
export interface CsvFormat {
    encoding: string;
    delimiter: string;
    newline: "\n" | "\r";
}

/** A row, and the line of the file that it begins on; the first line is 1. */
export interface Row {
    line: number;
    cells: string[];
    /** A quote of it stands where none may. */
    broken?: true;
}

const pieceBytes = 1 << 20;
/** A request has at most a MiB: a longer row is a quote that does not end. */
const rowCharsMax = 2 << 20;

function decodes(bytes: Uint8Array, encoding: string): boolean {
    try {
        new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
        return true;
    } catch {
        return false;
    }
}

/** Letters of Thai stand beside each other; those of western languages with accents rarely do. */
function looksThai(bytes: Uint8Array): boolean {
    let high = 0;
    let pairs = 0;
    for (let at = 0; at < bytes.length; at++) {
        if (bytes[at]! < 0x80) continue;
        high++;
        if ((bytes[at + 1] ?? 0) >= 0x80) pairs++;
    }
    return pairs * 2 > high && decodes(bytes, "windows-874");
}

function guessEncoding(bytes: Uint8Array): string {
    const [first, second] = bytes;
    if (first === 0xff && second === 0xfe) return "utf-16le";
    if (first === 0xfe && second === 0xff) return "utf-16be";
    if (decodes(bytes, "utf-8")) return "utf-8";
    return looksThai(bytes) ? "windows-874" : "windows-1252";
}

/** Guesses from the beginning of the file; the encoding may be given. */
export async function guessFormat(file: Blob, given?: string): Promise<CsvFormat> {
    const bytes = new Uint8Array(await file.slice(0, pieceBytes).arrayBuffer());
    // An Excel workbook is a zip archive.
    if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) throw new FileProblem("excel");
    const encoding = given ?? guessEncoding(bytes);
    const text = new TextDecoder(encoding).decode(bytes, { stream: true });
    const newline = text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
    const { meta } = Papa.parse(text, { newline, preview: 10, skipEmptyLines: true });
    return { encoding, delimiter: meta.delimiter, newline };
}

function count(text: string, part: string): number {
    let found = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found++;
    return found;
}

/**
 * The rows of a file, piece by piece, with the number of bytes read so far. Rows without any value
 * are passed over. Papa Parse itself reads files, too, but breaks letters that two pieces share.
 */
export async function* readCsv(
    file: Blob,
    { encoding, delimiter, newline }: CsvFormat,
): AsyncGenerator<{ rows: Row[]; read: number }> {
    const decoder = new TextDecoder(encoding);
    let rest = "";
    let line = 1;
    for (let read = 0; read < file.size; ) {
        const bytes = await file.slice(read, read + pieceBytes).arrayBuffer();
        read += bytes.byteLength;
        const last = read >= file.size;
        rest += decoder.decode(bytes, { stream: !last });
        const parsed: Papa.ParseResult<string[]> = new Papa.Parser({ delimiter, newline }).parse(
            rest,
            0,
            !last,
        );
        const broken = new Set(parsed.errors.map((one) => one.row));
        const rows: Row[] = [];
        for (const [index, cells] of parsed.data.entries()) {
            const end = cells.at(-1)!;
            if (newline === "\n" && end.endsWith("\r")) cells[cells.length - 1] = end.slice(0, -1);
            if (cells.some((cell) => cell !== "")) {
                rows.push({ line, cells, ...(broken.has(index) ? { broken: true } : {}) });
            }
            line++;
            for (const cell of cells) line += count(cell, newline);
        }
        rest = rest.slice(parsed.meta.cursor);
        if (!last && rest.length > rowCharsMax) throw new FileProblem("quote", line);
        yield { rows, read };
    }
}
