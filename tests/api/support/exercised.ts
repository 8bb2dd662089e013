import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { source } from "./paths.js";

// Each file of tests may run in a process of its own: what it exercised is kept in build/api.

const built = new URL("../", import.meta.url);
const notes = new URL("exercised/", built);

/** The names of the files of tests. */
export const testFiles = readdirSync(`${source}tests/api`)
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith("zz_"))
    .map((file) => file.replace(".test.ts", ""));

/** Notes what a process exercised that ran these files; none: all of them. */
export function noteExercised(ran: string[], ids: Iterable<string>): void {
    mkdirSync(notes, { recursive: true });
    const text = JSON.stringify([...ids]);
    for (const file of ran.length > 0 ? ran : testFiles) {
        const draft = new URL(`exercised.${file}`, built); // others read whole ones
        writeFileSync(draft, text);
        renameSync(draft, new URL(file, notes));
    }
}

/** What all files exercised, each when it ran last, and the files that never came to their end. */
export function exercisedByAll(): { exercised: Set<string>; notRun: string[] } {
    mkdirSync(notes, { recursive: true });
    const ended = readdirSync(notes);
    for (const file of ended) {
        if (!testFiles.includes(file)) rmSync(new URL(file, notes)); // it is no more
    }
    const ran = testFiles.filter((file) => ended.includes(file));
    const read = (file: string): string[] =>
        JSON.parse(readFileSync(new URL(file, notes), "utf8")) as string[];
    return {
        exercised: new Set(ran.flatMap(read)),
        notRun: testFiles.filter((file) => !ended.includes(file)),
    };
}
