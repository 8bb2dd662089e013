/** What works on no tenant in particular. */
const own = /^pawl (dev|serve|worker|sandbox|tenants|--)/;

const quoted = (text: string) =>
    /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A command of `pawl` for one tenant; the usual one need not be named. */
export function inTenant(command: string, tenant: string | null | undefined): string {
    const named = tenant && tenant !== "default";
    if (!named || !command.startsWith("pawl ") || own.test(command)) return command;
    return `${command} --tenant ${quoted(tenant)}`;
}
