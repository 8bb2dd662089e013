/** What works on no tenant in particular. */
const own = /^pawl (dev|serve|worker|sandbox|tenants|new|--)/;

/** An argument of a command of a shell. */
export const shellWord = (text: string) =>
    /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

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
