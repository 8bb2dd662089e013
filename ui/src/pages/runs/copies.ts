import { shellWord, sqlText } from "@/components/command";
import { today } from "@/data/clock";
import { conditionsOf, type Filter, toQuery } from "./filter";

/** The same list for a terminal, a script or the database. */
export function asPath(filter: Filter): string {
    const { where = [], ...rest } = toQuery(filter, today());
    const query = new URLSearchParams(rest);
    for (const one of where) query.append("where", one);
    const text = query.toString();
    return text ? `/v1/runs?${text}` : "/v1/runs";
}

/** Nothing, where a command would list other runs: it knows no time and one status at most. */
export function asCli(filter: Filter): string | undefined {
    const { workflow, status, subject, error } = filter;
    if (filter.after || filter.before || filter.correlation || status?.includes(",")) {
        return undefined;
    }
    return [
        "runs list",
        workflow && `--workflow ${shellWord(workflow)}`,
        status && `--status ${shellWord(status)}`,
        subject && `--subject ${shellWord(subject)}`,
        error && `--error ${shellWord(error)}`,
        ...conditionsOf(filter).map((one) => `--where ${shellWord(one)}`),
    ]
        .filter(Boolean)
        .join(" ");
}

// A text that like takes as it is.
const literally = (value: string) => value.replace(/[\\%_]/g, "\\$&");

// The view names the states of open runs otherwise.
const closed = new Set(["completed", "failed", "cancelled"]);

/** Nothing, where a statement would list other runs: the view has no subject. */
export function asSql(filter: Filter): string | undefined {
    const query = toQuery(filter, today());
    const statuses = query.status?.split(",");
    if (query.subject || filter.where || statuses?.some((one) => !closed.has(one))) {
        return undefined;
    }
    const conditions = [
        query.workflow && `workflow_name = ${sqlText(query.workflow)}`,
        statuses && `status in (${statuses.map(sqlText).join(", ")})`,
        query.correlation_id && `correlation_id = ${sqlText(query.correlation_id)}`,
        query.created_after && `created_at > ${sqlText(query.created_after)}`,
        query.created_before && `created_at < ${sqlText(query.created_before)}`,
        filter.error && `error_message ilike ${sqlText(`%${literally(filter.error)}%`)}`,
    ].filter(Boolean);
    const where = conditions.length > 0 ? `\nwhere ${conditions.join("\n  and ")}` : "";
    return `select *\nfrom workflow_executions${where}\norder by created_at desc\nlimit 100;`;
}
