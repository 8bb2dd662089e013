import { type NewPerson, type Place, personOf } from "./columns";
import { type CsvFormat, type Row, readCsv } from "./csv";

/** What one request holds. */
const rowsMax = 500;
/** A request may have 1 MiB, and a character takes up to three bytes of it. */
const charsMax = 300_000;

export interface Mapping {
    format: CsvFormat;
    columns: string[];
    places: Place[];
}

/** A row with its person; or why it has none. */
export interface PartRow extends Row {
    person?: NewPerson;
    wrong?: "broken" | "uneven" | "noKey";
}

function read(row: Row, { columns, places }: Mapping): PartRow {
    if (row.broken) return { ...row, wrong: "broken" };
    if (row.cells.length !== columns.length) return { ...row, wrong: "uneven" };
    const person = personOf(row.cells, columns, places);
    return person.key ? { ...row, person } : { ...row, wrong: "noKey" };
}

/** The rows of a file in parts, each for one request. */
export async function* readParts(file: Blob, mapping: Mapping): AsyncGenerator<PartRow[]> {
    let part: PartRow[] = [];
    let chars = 0;
    let first = true;
    for await (const { rows } of readCsv(file, mapping.format)) {
        for (const row of rows) {
            if (first) {
                first = false;
                continue;
            }
            const one = read(row, mapping);
            const size = one.person ? JSON.stringify(one.person).length : 0;
            if (part.length === rowsMax || (part.length > 0 && chars + size > charsMax)) {
                yield part;
                part = [];
                chars = 0;
            }
            part.push(one);
            chars += size;
        }
    }
    if (part.length > 0) yield part;
}
