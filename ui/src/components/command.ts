/** What works on no tenant in particular. */
const own = /^pawl (dev|serve|worker|sandbox|tenants|new|--)/;

/** One word of a command, whatever is in it. */
export const shellWord = (text: string) =>
    /^[\w.,:@/][\w.,:@/-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A text in a statement of SQL. */
export const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Commands of `pawl`, one after the other, for one tenant; the usual one need not be named. */
export function inTenant(command: string, tenant: string | null | undefined): string {
    const named = tenant && tenant !== "default";
    if (!named) return command;
    // What joins two commands stays between them.
    return command
        .split(/( && | \| )/)
        .map((one) =>
            one.startsWith("pawl ") && !own.test(one)
                ? `${one} --tenant ${shellWord(tenant)}`
                : one,
        )
        .join("");
}

/** Statements for one tenant, in a session that may choose. */
export const sqlIn = (sql: string, tenant: string | null | undefined): string =>
    tenant && tenant !== "default" ? `select pawl.use_tenant(${sqlText(tenant)});\n${sql}` : sql;
