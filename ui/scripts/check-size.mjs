// Fails when the first load, compressed, is larger than the budget: the page, and what it names or
// imports at once. Fonts are not counted: text is shown before they are there.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const budget = 250 * 1024;
const root = new URL("../../build/ui/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", root), "utf8"));

const files = new Set(["index.html"]);
const take = (chunk) => {
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
    for (const name of chunk.imports ?? []) take(manifest[name]);
};
for (const chunk of Object.values(manifest)) if (chunk.isEntry) take(chunk);

let total = 0;
for (const file of files) {
    const size = gzipSync(readFileSync(new URL(file, root)), { level: 9 }).length;
    total += size;
    if (process.argv.includes("--list")) console.log(`${String(size).padStart(8)} ${file}`);
}
const kilo = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
console.log(`first load: ${kilo(total)} gzip of ${kilo(budget)}`);
if (total > budget) {
    console.error("The first load is over its budget: load pages and editors lazily.");
    process.exit(1);
}
