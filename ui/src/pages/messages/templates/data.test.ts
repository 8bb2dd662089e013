import { expect, test } from "vitest";
import { contentOf, fieldsOf, placesOf, problemsOf } from "./data";

test("content becomes fields and content again", () => {
    const content = {
        subject: "Hi",
        text: "Hello {{ user.first_name }}",
        messages: [{ type: "text", text: "x" }],
        data: { a: 1 },
        track: false,
    };
    expect(contentOf(fieldsOf(content))).toEqual({ content, broken: [] });
    expect(contentOf({ ...fieldsOf({}), messages: "[", data: "{" }).broken).toEqual([
        "messages",
        "data",
    ]);
});

test("problems of the server find their language, field and placeholder", () => {
    const found = problemsOf([
        {
            pointer: "/languages/en/text",
            detail: "{{ usr.name }} is unknown: a template sees user",
        },
        { pointer: "/languages/x~1y", detail: "is no language" },
        { pointer: "/person", detail: "is not the key of a person" },
    ]);
    expect(found).toEqual([
        {
            language: "en",
            field: "text",
            message: "{{ usr.name }} is unknown: a template sees user",
            find: "{{ usr.name }}",
        },
        { language: "x/y", field: "", message: "is no language" },
    ]);
});

test("a placeholder is found with any blanks, and nothing else is", () => {
    expect(placesOf("a {{usr.name}} b {{  usr.name }} {{ user.name }}", "{{ usr.name }}")).toEqual([
        { from: 2, to: 14 },
        { from: 17, to: 32 },
    ]);
    expect(placesOf("(((", "{{ ((( }}")).toEqual([]);
});
