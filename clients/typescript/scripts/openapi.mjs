// The description of the API as one document: src/api/openapi/*.yaml merged the way the server does.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const folder = fileURLToPath(new URL("../../../src/api/openapi/", import.meta.url));

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function merge(into, from) {
    for (const [key, value] of Object.entries(from)) {
        if (isObject(into[key]) && isObject(value)) merge(into[key], value);
        else into[key] = value;
    }
}

export function readOpenApi() {
    const whole = {};
    for (const file of readdirSync(folder).sort()) {
        if (file.endsWith(".yaml")) merge(whole, parse(readFileSync(folder + file, "utf8")));
    }
    return whole;
}
