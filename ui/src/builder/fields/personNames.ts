import type { Schemas } from "@/data/api";
import type { Person } from "@/pages/people/data";

/** In which table people are; null: Pawl keeps them; undefined: it is not known here. */
type Source = Pick<
    Schemas["PersonSource"],
    "columns" | "addresses" | "locale_column" | "timezone_column"
> | null;

export type Seen = Pick<Person, "attributes" | "addresses">;

/** What is known of each person that Pawl keeps, and what many workflows write of them. */
const kept = ["first_name", "last_name", "locale", "timezone", "addresses.email", "addresses.sms"];

const isName = (name: string) => /^[A-Za-z_][\w-]*$/.test(name);

const keysOf = (rows: unknown[]) => [
    ...new Set(rows.flatMap((row) => Object.keys((row ?? {}) as object)).filter(isName)),
];

/** What the server says about the people of the tenant. */
export interface People {
    source: Source;
    /** What only messages and conditions may use. */
    redacted: string[];
}

/**
 * What templates can say of the person behind `user.`; undefined: nothing is known of the people.
 * Of a table of the tenant's own only what its people have.
 */
export function personNames(people: People | undefined, seen: Seen[]): string[] | undefined {
    const attributes = keysOf(seen.map((one) => one.attributes));
    const source = people?.source;
    const channels = keysOf([source?.addresses, ...seen.map((one) => one.addresses)]);
    const addresses = channels.map((one) => `addresses.${one}`);
    if (source === null) return [...new Set([...attributes, ...kept, ...addresses])];
    if (source) {
        return [
            ...(source.columns ?? attributes).filter(isName),
            ...(source.locale_column ? ["locale"] : []),
            ...(source.timezone_column ? ["timezone"] : []),
            ...addresses,
        ];
    }
    return seen.length > 0 ? [...attributes, "locale", "timezone", ...addresses] : undefined;
}

/** The same for a type of steps. */
export function namesOfPerson(people: People | undefined, seen: Seen[], type?: string) {
    const redacted = (people?.redacted ?? []).filter(isName);
    const names = personNames(people, seen)?.filter((name) => !redacted.includes(name));
    return names && (type === "message" || type === "condition") ? [...names, ...redacted] : names;
}
