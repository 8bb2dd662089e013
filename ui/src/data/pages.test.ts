import { describe, expect, test } from "vitest";
import { placeOf, withRows } from "./pages";

const page = (...ids: string[]) => ({
    data: ids.map((id) => ({ id, status: "running" })),
    next_cursor: null,
    has_more: false,
});

describe("rows of pages", () => {
    const pages = [page("a", "b"), page("c", "d"), page()];

    test("are found in their page", () => {
        expect(placeOf(pages, "a")).toEqual([0, 0]);
        expect(placeOf(pages, "d")).toEqual([1, 1]);
        expect(placeOf(pages, "e")).toBeUndefined();
        expect(placeOf([], "a")).toBeUndefined();
    });

    test("change, and no other page does", () => {
        const after = withRows(pages, [
            { id: "c", status: "failed" },
            { id: "d", status: "completed" },
            { id: "e", status: "completed" },
        ]);
        expect(after.map((one) => one.data.map((row) => row.status))).toEqual([
            ["running", "running"],
            ["failed", "completed"],
            [],
        ]);
        expect(after[0]).toBe(pages[0]);
        expect(after[2]).toBe(pages[2]);
        expect(pages[1]!.data[0]!.status).toBe("running");
        expect(placeOf(after, "d")).toEqual([1, 1]);
    });
});
