// Holds what a page shows against what was printed. Ids, times and measured numbers differ every
// time, and \`...\` leaves something out.

const wild: [RegExp, string][] = [
    [/\.\.\./, ".*"],
    [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, "[0-9a-f-]{36}"],
    [/\d{4}-\d{2}-\d{2}/, "\\d{4}-\\d{2}-\\d{2}"],
    [/\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?/, "\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z?"],
    [/\d+(?:\.\d+)? ?(?:ms|us|s|min)\b/, "\\d+(?:\\.\\d+)? ?(?:ms|us|s|min)"],
    [/ +/, " +"],
    [/-{3,}/, "-+"],
];

/** The pattern that a line which a page shows stands for. */
export function patternOf(line: string): RegExp {
    const any = new RegExp(wild.map(([what]) => `(${what.source})`).join("|"), "g");
    let made = "";
    let end = 0;
    for (const found of line.trimEnd().matchAll(any)) {
        made += escape(line.slice(end, found.index));
        made += wild[found.slice(1).findIndex((group) => group !== undefined)]![1];
        end = found.index + found[0].length;
    }
    return new RegExp(`^${made}${escape(line.slice(end).trimEnd())}\\s*$`);
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The first line of \`shown\` that was not printed in its turn; a line \`...\` passes over any. */
export function firstDifference(shown: string, printed: string): string | undefined {
    const said = printed.split("\n");
    let at = 0;
    let gap = false;
    for (const line of shown.trimEnd().split("\n")) {
        if (line.trim() === "...") {
            gap = true;
            continue;
        }
        const pattern = patternOf(line);
        if (gap) while (at < said.length && !pattern.test(said[at]!)) ++at;
        if (at >= said.length || !pattern.test(said[at]!)) return line;
        ++at;
        gap = false;
    }
    const rest = said.slice(at).filter((line) => line !== "");
    return gap || rest.length === 0 ? undefined : `(nothing more; there is: ${rest[0]})`;
}
