import { expect, test } from "vitest";
import { addressesOf, nameOf, type Person } from "./data";

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
