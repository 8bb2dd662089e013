import { describe, expect, test } from "vitest";
import { checkFile } from "./check";
import { guessFormat, type Row, readCsv } from "./csv";
import { type PartRow, readParts } from "./parts";

async function rowsOf(content: BlobPart): Promise<Row[]> {
    const file = new Blob([content]);
    const rows: Row[] = [];
    for await (const piece of readCsv(file, await guessFormat(file))) rows.push(...piece.rows);
    return rows;
}

const cellsOf = async (content: BlobPart) => (await rowsOf(content)).map((row) => row.cells);

async function checked(content: string) {
    const steps = [];
    for await (const step of checkFile(new Blob([content]))) steps.push(step);
    return Object.assign({}, ...steps);
}

describe("a CSV file", () => {
    test("quoted fields hold delimiters, quotes and line ends; lines are counted", async () => {
        const rows = await rowsOf('\ufeffkey,name\r\n1,"Lee, ""Ann""\nB"\r\n\r\n,\r\n2,Bob\n');
        expect(rows).toEqual([
            { line: 1, cells: ["key", "name"] },
            { line: 2, cells: ["1", 'Lee, "Ann"\nB'] },
            { line: 6, cells: ["2", "Bob"] },
        ]);
    });

    test("delimiters are guessed, old line ends, too", async () => {
        expect(await cellsOf("key;name\n1;Lee, Ann\n2;Bob, B")).toEqual([
            ["key", "name"],
            ["1", "Lee, Ann"],
            ["2", "Bob, B"],
        ]);
        expect(await cellsOf("key\tname\n1\tAnn")).toEqual([
            ["key", "name"],
            ["1", "Ann"],
        ]);
        expect(await cellsOf("key\r1\r2")).toEqual([["key"], ["1"], ["2"]]);
    });

    test("letters that two pieces share stay whole", async () => {
        // Three bytes each: no border of a piece is one of a letter.
        const name = "ก".repeat(700_000);
        const [, row] = await cellsOf(`key,name\n1,${name}\n`);
        expect(row![1] === name).toBe(true);
    });

    test("the encodings of Excel are known", async () => {
        const thai = Uint8Array.from([...Buffer.from("key,name\n1,"), 0xca, 0xc7, 0xd1, 0xca]);
        expect((await cellsOf(thai))[1]).toEqual(["1", "สวัส"]);
        const western = Uint8Array.from([...Buffer.from("key,name\n1,Andr"), 0xe9, 0x0a]);
        expect((await cellsOf(western))[1]).toEqual(["1", "André"]);
        const wide = Uint8Array.from([0xff, 0xfe, ...Buffer.from("key\tไทย\n1\tข", "utf16le")]);
        expect(await cellsOf(wide)).toEqual([
            ["key", "ไทย"],
            ["1", "ข"],
        ]);
        await expect(guessFormat(new Blob(["PK\u0003\u0004"]))).rejects.toMatchObject({
            code: "excel",
        });
    });

    test("a quote that does not end names its line and does not fill the memory", async () => {
        const text = `key,name\n1,Ann\n2,"Bob\n${"3,Cid\n".repeat(600_000)}`;
        await expect(rowsOf(text)).rejects.toMatchObject({ code: "quote", line: 3 });
        expect((await rowsOf('key,name\n1,"Ann\n')).at(-1)!.broken).toBe(true);
    });

    test("what is wrong is known before anything is sent", async () => {
        const found = await checked('key, name \n1,Ann\n2\n,Bob\n3,"C"x"\n4,Dee\n\n5,a,b\n,Eve\n');
        expect(found.head.columns).toEqual(["key", "name"]);
        expect(found.checked).toEqual({
            rows: 7,
            broken: { count: 1, first: [5] },
            uneven: { count: 2, first: [3, 8] },
            empty: [
                { count: 2, first: [4, 9] },
                { count: 0, first: [] },
            ],
        });
        await expect(checked("\n\n")).rejects.toMatchObject({ code: "empty" });
    });

    test("parts hold as many rows as one request", async () => {
        const partsOf = async (content: string) => {
            const file = new Blob([content]);
            const format = await guessFormat(file);
            const places = ["key", "attribute"] as const;
            const mapping = { format, columns: ["key", "a"], places: [...places] };
            const parts: PartRow[][] = [];
            for await (const part of readParts(file, mapping)) parts.push(part);
            return parts;
        };
        const lines = (count: number, value: string) =>
            `key,a\n${Array.from({ length: count }, (_, i) => `${i},${value}`).join("\n")}`;
        const many = await partsOf(lines(1200, "x"));
        expect(many.map((part) => part.length)).toEqual([500, 500, 200]);
        expect(many[0]![0]!.person).toEqual({ key: "0", attributes: { a: "x" } });
        expect((await partsOf(lines(5, "x".repeat(120_000)))).map((one) => one.length)).toEqual([
            2, 2, 1,
        ]);
        const [wrong] = await partsOf("key,a\n,x\n1\n2,y");
        expect(wrong!.map((row) => row.wrong)).toEqual(["noKey", "uneven", undefined]);
    });
});
