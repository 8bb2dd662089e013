import { describe, expect, test } from "vitest";
import { guessPlaces, mappingProblems, personOf, placesFor } from "./columns";

describe("columns of a file", () => {
    test("become what `pawl people import` makes of them", () => {
        expect(
            guessPlaces(["id", "email", "phone", "line", "push", "address.fax", "tier"]),
        ).toEqual([
            "key",
            "address.email",
            "address.sms",
            "address.line",
            "address.push",
            "address.fax",
            "attribute",
        ]);
        expect(guessPlaces(["problem", "id", "KEY", "Locale", "timezone", "", "problem"])).toEqual([
            "out",
            "attribute",
            "key",
            "locale",
            "timezone",
            "out",
            "attribute",
        ]);
        expect(guessPlaces(["constructor", "address."])).toEqual(["attribute", "attribute"]);
    });

    test("may become an address of their own, and no attribute without a name", () => {
        expect(placesFor("address.fax")).toContain("address.fax");
        expect(placesFor("")).not.toContain("attribute");
    });

    test("cannot become the same, and one is the key", () => {
        expect(
            mappingProblems(["a", "phone", "sms"], ["out", "address.sms", "address.sms"]),
        ).toEqual([
            { what: "noKey", columns: [] },
            { what: "twice", columns: ["phone", "sms"] },
        ]);
        expect(mappingProblems(["key", "a", "a"], ["key", "attribute", "attribute"])).toEqual([
            { what: "twice", columns: ["a", "a"] },
        ]);
        expect(mappingProblems(["key", "a", "a"], ["key", "attribute", "out"])).toEqual([]);
    });

    test("fill a person; empty cells and those left out are not known", () => {
        const columns = ["key", "email", "locale", "tier", "__proto__", "secret"];
        const places = [...guessPlaces(columns).slice(0, 5), "out" as const];
        const person = personOf(["1", "a@x", "th", "", "=cmd()", "s"], columns, places);
        expect(JSON.stringify(person)).toBe(
            '{"key":"1","locale":"th","attributes":{"__proto__":"=cmd()"},"addresses":{"email":"a@x"}}',
        );
    });
});
