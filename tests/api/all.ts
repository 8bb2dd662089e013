// Runs the tests of the files that are named, or all of them, in one process with one server.
//
//   scripts/with-postgres node build/api/all.js               everything
//   scripts/with-postgres node build/api/all.js runs stream   runs.test.ts and stream.test.ts
import { readdirSync } from "node:fs";

const named = process.argv.slice(2).map((name) => `${name}.test.js`);
if (named.length > 0) named.push("zz_contract.test.js");
const here = new URL(".", import.meta.url);
const present = readdirSync(here).filter((file) => file.endsWith(".test.js"));
for (const file of named.length > 0 ? named : present.sort()) {
    await import(new URL(file, import.meta.url).href);
}
