// Fails when a file is too long to be read at once: a component 200 lines, anything else 400.
// Imports do not count.
import { globSync, readFileSync } from "node:fs";

const root = new URL("..", import.meta.url).pathname;
let wrong = 0;
for (const file of globSync("{src,tests}/**/*.{ts,tsx}", { cwd: root })) {
    const text = readFileSync(root + file, "utf8").replace(/^import [^;]*;\n/gm, "");
    const lines = text.split("\n").length - 1;
    const most = file.endsWith(".tsx") ? 200 : 400;
    if (lines <= most) continue;
    console.error(`ui/${file}: ${lines} lines, at most ${most}`);
    wrong += 1;
}
process.exit(wrong > 0 ? 1 : 0);
