import { shellWord, sqlText } from "@/components/command";

export interface Filters {
    state?: string;
    person?: string;
    workflow?: string;
    run?: string;
}

/** The same list on a terminal; nothing, where a command would list others: it knows no workflow. */
export function asCli({ state, person, workflow, run }: Filters): string | undefined {
    if (workflow) return undefined;
    return [
        "messages list",
        state && `--state ${shellWord(state)}`,
        person && `--person ${shellWord(person)}`,
        run && `--run ${shellWord(run)}`,
    ]
        .filter(Boolean)
        .join(" ");
}

/** The same list in the database. */
export function asSql({ state, person, workflow, run }: Filters): string {
    const conditions = [
        state && `state = ${sqlText(state)}`,
        person && `person = ${sqlText(person)}`,
        workflow && `workflow = ${sqlText(workflow)}`,
        run && `run_id = ${sqlText(run)}`,
    ].filter(Boolean);
    const where = conditions.length > 0 ? `\nwhere ${conditions.join("\n  and ")}` : "";
    return `select *\nfrom pawl.messages${where}\norder by id desc\nlimit 100;`;
}
