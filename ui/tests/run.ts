// Runs the named test files, or all of them: node tests/run.ts runs run
import { readdirSync } from "node:fs";

const folder = new URL(".", import.meta.url);
const all = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
const wanted = process.argv.slice(2);
for (const name of all) {
    if (wanted.length === 0 || wanted.includes(name.replace(".test.ts", ""))) {
        await import(new URL(name, folder).href);
    }
}
