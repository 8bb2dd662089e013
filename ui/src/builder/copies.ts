import type { CopyAs } from "@/components/CopyMenu";
import { shellWord, sqlText } from "@/components/command";
import { formatJson } from "@/data/json";
import type { Draft } from "./graph";
import { layoutOf } from "./layout";
import { textOf } from "./text/definition";

type Current = () => Draft;

const pathOf = (name: string) => `/v1/workflows/${encodeURIComponent(name)}`;
const whole = (draft: Draft) => ({ ...draft.definition, layout: layoutOf(draft) });

/** What is drawn, as text, and how it is saved as a draft. One without a name cannot be saved. */
export function draftCopies(
    name: string,
    current: Current,
    etag: () => string | undefined,
): CopyAs {
    return {
        ...(name === "" ? {} : { curl: `${pathOf(name)}/draft` }),
        method: "PUT",
        // What another editor saved meanwhile is not overwritten.
        headers: () => {
            const seen = etag();
            return seen === undefined ? {} : { "If-Match": `"${seen}"` };
        },
        body: () => ({ text: textOf(current()) }),
        yaml: () => textOf(current()),
        json: () => `${formatJson(whole(current()))}\n`,
    };
}

/** The same workflow published through every door. */
export function publishCopies(current: Current): CopyAs {
    return {
        curl: "/v1/workflows",
        method: "POST",
        body: () => whole(current()),
        cli: "workflows apply -f -",
        stdin: () => textOf(current()),
        sql: () => {
            const { definition } = current();
            const [name, text] = [definition.name, formatJson(definition)].map(sqlText);
            return `select version, changed\nfrom pawl.apply_workflow(${name}, ${text});`;
        },
    };
}

/** The last days once more with what is drawn. */
export function simulateCopies(name: string, since: string, current: Current): CopyAs {
    const file = shellWord(`${name || "draft"}.yaml`);
    return {
        curl: `${pathOf(name || "draft")}/simulate`,
        method: "POST",
        body: () => ({ since, definition: current().definition }),
        cli: `simulate --since ${since} ${file}`,
        file: { name: file, text: () => textOf(current()) },
    };
}
