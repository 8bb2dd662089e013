import type { Schemas } from "@/data/api";

type Limit = Schemas["Limit"];

export const keyOf = (one: Limit) =>
    [one.scope, one.workflow ?? "", one.name, one.key ?? ""].join("/");
export const nameOf = (one: Limit) =>
    [one.workflow ?? one.scope, one.name, one.key].filter(Boolean).join(" · ");
export const bodyOf = (one: Limit, limit: number | null) => ({
    ...(one.workflow ? { workflow: one.workflow } : {}),
    name: one.name,
    ...(one.key === null ? {} : { key: one.key }),
    limit,
});

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
export const asCli = (one: Limit, limit: number | null) =>
    [
        limit === null
            ? `limits clear ${quoted(one.name)}`
            : `limits set ${quoted(one.name)} ${limit}`,
        one.workflow ? `--workflow ${quoted(one.workflow)}` : "",
        one.key === null ? "" : `--key ${quoted(one.key)}`,
    ]
        .filter(Boolean)
        .join(" ");
