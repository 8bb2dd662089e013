import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { saidBy } from "./settings";
import { settingWordsIn } from "./settingWords";
import { choices } from "./thai/names";

const folder = new URL("../../../src/api/node_types/", import.meta.url);
const types = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => parse(readFileSync(new URL(name, folder), "utf8")));
const said = saidBy(types.map((one) => ({ description: one.description ?? "", ...one })));
const thai = settingWordsIn("th");
const isThai = (text: string | undefined) => /[\u0e00-\u0e7f]/.test(text ?? "");

// What is the same word in every language.
const same = new Set(["html", "sql", "HTML", "SQL", "LINE", "SMS", ""]);

describe("settings of steps", () => {
    test("there are many of them", () => {
        expect(said.names.size).toBeGreaterThan(120);
        expect(said.sentences.size).toBeGreaterThan(150);
    });

    test("each has a name in Thai", () => {
        const without = [...said.names].filter((one) => !isThai(thai.label(one)) && !same.has(one));
        expect(without).toEqual([]);
    });

    test("each help is in Thai", () => {
        const without = [...said.sentences].filter(
            (one) => !isThai(thai.sentence(one)) && !same.has(one),
        );
        expect(without).toEqual([]);
    });

    test("each choice that is a word is in Thai", () => {
        // Signs, and the methods of HTTP.
        const words = [...said.choices].filter((one) => /^[a-z ]+$/.test(one));
        const without = words.filter((one) => !Object.hasOwn(choices, one));
        expect(without).toEqual([]);
        expect(words.filter((one) => !isThai(thai.choice(one)))).toEqual(["line", "sms"]);
    });

    test("what is not known is as the server says it", () => {
        expect(thai.label("of_tomorrow")).toBe("Of tomorrow");
        expect(thai.label("constructor")).toBe("Constructor");
        expect(thai.sentence("Of a newer server")).toBe("Of a newer server");
        expect(settingWordsIn("en").label("on_failure")).toBe("On failure");
    });
});
