import { i18n } from "@lingui/core";
import { afterEach, expect, test } from "vitest";
import { say } from "@/words";
import { addressesOf, nameOf, type Person, wishOf } from "./data";
import { peopleWords } from "./words";

// Files of tests share what they import.
afterEach(() => i18n.activate("en"));

const person = (attributes: Person["attributes"], addresses: Person["addresses"] = {}): Person => ({
    key: "1",
    attributes,
    addresses,
    locale: null,
    timezone: null,
});

test("a person is called by what is known of the name", () => {
    expect(nameOf(person({ first_name: "Ann", last_name: "Lee" }))).toBe("Ann Lee");
    expect(nameOf(person({ name: "Ann" }))).toBe("Ann");
    expect(nameOf(person({ name: { hacked: 1 } }))).toBe("");
});

test("addresses of any shape are a list of texts", () => {
    expect(addressesOf(person({}, { email: "a@x", push: ["t1", "t2"], odd: { a: 1 } }))).toEqual([
        { channel: "email", address: "a@x" },
        { channel: "push", address: "t1" },
        { channel: "push", address: "t2" },
    ]);
});

test("what a person does not want is a sentence", () => {
    const said = (channel: string, category: string) =>
        say(peopleWords, wishOf({ channel, category }), { channel, category });
    i18n.activate("en");
    expect(said("*", "*")).toBe("Wants no message at all");
    expect(said("sms", "*")).toBe("Wants no message by sms");
    expect(said("*", "news")).toBe("Wants no message of the kind news");
    expect(said("sms", "news")).toBe("Wants no message of the kind news by sms");
    i18n.activate("th");
    for (const all of ["*", "sms"]) expect(said(all, "*")).not.toContain("*");
});
