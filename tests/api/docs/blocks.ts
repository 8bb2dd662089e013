import { readFileSync } from "node:fs";
import { source } from "../support/paths.js";

/** A fenced block of a page. */
export interface Block {
    /** Of its first line, from 1. */
    line: number;
    language: string;
    text: string;
    /** `<!-- not run: why -->` before it. */
    notRun?: string;
    /** `<!-- run by: FILE -->` before it: a test of its own does. */
    runBy?: string;
    /** `# NAME.yaml`: the reader saves it under this name. */
    file?: string;
}

const opening = /^( *)```(\S*)$/;
const marker = /^ *<!-- (not run|run by): (.+) -->$/;
const fileName = /^(?:#|--|\/\/) ([\w./-]+\.(?:yaml|json|sql|mjs))\b/;

/** The fenced blocks of a page, top to bottom. */
export function blocksOf(page: string): Block[] {
    const lines = readFileSync(source + page, "utf8").split("\n");
    const found: Block[] = [];
    for (let at = 0; at < lines.length; ++at) {
        const fence = opening.exec(lines[at]!);
        if (!fence) continue;
        const [, indent, language] = fence as unknown as [string, string, string];
        const end = lines.indexOf(indent + "```", at + 1);
        if (end < 0) throw new Error(`${page}:${at + 1}: the block has no end`);
        const inside = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
        const block: Block = { line: at + 2, language, text: inside.join("\n") + "\n" };
        const said = marker.exec(lines[at - 1] ?? "");
        if (said?.[1] === "not run") block.notRun = said[2]!;
        if (said?.[1] === "run by") block.runBy = said[2]!;
        const name = fileName.exec(block.text)?.[1];
        if (name) block.file = name;
        found.push(block);
        at = end;
    }
    return found;
}

/** Lines of code that no fence encloses: they would escape the test. */
export function indentedCode(page: string): number[] {
    const found: number[] = [];
    let fenced = false;
    let listed = false;
    const lines = readFileSync(source + page, "utf8").split("\n");
    lines.forEach((line, at) => {
        if (/^ *```/.test(line)) fenced = !fenced;
        if (/^[*-] |^\d+\. /.test(line)) listed = true;
        else if (/^\S/.test(line)) listed = false;
        const code = /^ {4}\S/.test(line) && lines[at - 1] === "";
        if (code && !fenced && !listed) found.push(at + 1);
    });
    return found;
}
