/** What a /metrics page has: for each family its type and its samples. */
export interface Family {
    type: string;
    help: string;
    samples: { labels: string; value: number }[];
}

export function parseMetrics(text: string): Map<string, Family> {
    const families = new Map<string, Family>();
    const of = (name: string): Family => {
        let family = families.get(name);
        if (!family) families.set(name, (family = { type: "", help: "", samples: [] }));
        return family;
    };
    for (const line of text.split("\n")) {
        const about = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
        if (about) {
            const [, kind, name, rest] = about as unknown as [string, string, string, string];
            if (kind === "TYPE") of(name).type = rest;
            else of(name).help = rest;
            continue;
        }
        const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)/.exec(line);
        if (!sample) continue;
        const [, full, labels, value] = sample as unknown as [string, string, string, string];
        const base = full.replace(/_(bucket|sum|count)$/, "");
        const name = families.get(base)?.type === "histogram" ? base : full;
        of(name).samples.push({ labels: labels ?? "", value: Number(value) });
    }
    return families;
}

const words = new Set(
    (
        "and or unless by without on ignoring group_left group_right offset bool start end inf " +
        "nan Inf NaN atan2"
    ).split(" "),
);

/** The names of metrics in a PromQL expression. */
export function metricsIn(expression: string): string[] {
    const bare = expression
        .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "")
        .replace(/\{[^}]*\}/g, "")
        .replace(/\[[^\]]*\]/g, "")
        .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, "")
        .replace(/\boffset\s+\S+/g, "");
    const names: string[] = [];
    for (const match of bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w)(\s*\()?/g)) {
        const name = match[0].trim();
        if (!match[1] && !words.has(name)) names.push(name);
    }
    return names;
}
