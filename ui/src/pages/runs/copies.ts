import { conditionsOf, type Filter, toQuery } from "./filter";

/** The same list for a terminal, a script or the database. */
export function asPath(filter: Filter): string {
    const { where = [], ...rest } = toQuery(filter, new Date());
    const query = new URLSearchParams(rest);
    for (const one of where) query.append("where", one);
    const text = query.toString();
    return text ? `/v1/runs?${text}` : "/v1/runs";
}

const shell = (text: string) =>
    /^[\w.,:@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

export function asCli(filter: Filter): string {
    const { workflow, status, subject, error } = filter;
    return [
        "runs list",
        workflow && `--workflow ${shell(workflow)}`,
        status && `--status ${shell(status)}`,
        subject && `--subject ${shell(subject)}`,
        error && `--error ${shell(error)}`,
        ...conditionsOf(filter).map((one) => `--where ${shell(one)}`),
    ]
        .filter(Boolean)
        .join(" ");
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

export function asSql(filter: Filter): string {
    const query = toQuery(filter, new Date());
    const conditions = [
        query.workflow && `workflow_name = ${text(query.workflow)}`,
        query.status && `status in (${query.status.split(",").map(text).join(", ")})`,
        query.created_after && `created_at > ${text(query.created_after)}`,
        query.created_before && `created_at < ${text(query.created_before)}`,
        filter.error && `error_message ilike ${text(`%${filter.error}%`)}`,
    ].filter(Boolean);
    const where = conditions.length > 0 ? `\nwhere ${conditions.join("\n  and ")}` : "";
    return `select *\nfrom workflow_executions${where}\norder by created_at desc\nlimit 100;`;
}
