import type { Schemas } from "@/data/api";

/** What a column of the file becomes. */
export type Place = "key" | "locale" | "timezone" | "attribute" | "out" | `address.${string}`;

/** Channels by the names of columns that are their addresses, as `pawl people import` knows them. */
const channels: Record<string, string> = {
    email: "email",
    sms: "sms",
    phone: "sms",
    line: "line",
    push: "push",
};
const addressStart = "address.";
/** The first column of rows that were left out of an import: it says why. */
export const problemColumn = "problem";

function guessPlace(name: string, keyName: string): Place {
    const known = name.toLowerCase();
    if (known === keyName) return "key";
    if (known === "locale" || known === "timezone") return known;
    if (Object.hasOwn(channels, known)) return `address.${channels[known]!}`;
    if (known.startsWith(addressStart) && known.length > addressStart.length) {
        return `address.${name.slice(addressStart.length)}`;
    }
    return name === "" ? "out" : "attribute";
}

/** What each column becomes by its name. */
export function guessPlaces(columns: readonly string[]): Place[] {
    const keyName = columns.some((name) => name.toLowerCase() === "key") ? "key" : "id";
    return columns.map((name, index) =>
        index === 0 && name === problemColumn ? "out" : guessPlace(name, keyName),
    );
}

/** What a column may become, beside what all may. */
export function placesFor(name: string): Place[] {
    const addresses = new Set(Object.values(channels).map((one): Place => `address.${one}`));
    const guessed = guessPlace(name, "key");
    if (guessed.startsWith(addressStart)) addresses.add(guessed);
    return ["key", ...addresses, "locale", "timezone", ...(name ? ["attribute" as const] : [])];
}

/** Columns that become the same, or no column for what each person has. */
export interface MappingProblem {
    what: "noKey" | "twice";
    columns: string[];
}

export function mappingProblems(
    columns: readonly string[],
    places: readonly Place[],
): MappingProblem[] {
    const problems: MappingProblem[] = places.includes("key")
        ? []
        : [{ what: "noKey", columns: [] }];
    const taken = new Map<string, number[]>();
    for (const [index, place] of places.entries()) {
        if (place === "out") continue;
        const target = place === "attribute" ? `attribute ${columns[index]}` : place;
        taken.set(target, [...(taken.get(target) ?? []), index]);
    }
    for (const same of taken.values()) {
        if (same.length < 2) continue;
        problems.push({ what: "twice", columns: same.map((index) => columns[index]!) });
    }
    return problems;
}

export type NewPerson = Schemas["NewPerson"];

/** The person of a row; empty cells are not known. */
export function personOf(
    cells: readonly string[],
    columns: readonly string[],
    places: readonly Place[],
): NewPerson {
    const person: NewPerson = { key: "" };
    const attributes: [string, string][] = [];
    const addresses: [string, string][] = [];
    for (const [index, place] of places.entries()) {
        const cell = cells[index];
        if (!cell || place === "out") continue;
        if (place === "attribute") attributes.push([columns[index]!, cell]);
        else if (place.startsWith(addressStart)) {
            addresses.push([place.slice(addressStart.length), cell]);
        } else person[place as "key" | "locale" | "timezone"] = cell;
    }
    // Names of the file, such as __proto__, are names like others.
    if (attributes.length > 0) person.attributes = Object.fromEntries(attributes);
    if (addresses.length > 0) person.addresses = Object.fromEntries(addresses);
    return person;
}
