import type { Definition } from "@/data/demos";
import { asCurl } from "./CopyMenu";

const start = (workflow: string) =>
    asCurl({ curl: "/v1/runs", method: "POST", body: { workflow } });

/** How to publish a workflow and run it, for an empty list that this fills. */
export function howToRun(workflow: Definition): { command: string; curl: string } {
    const define = asCurl({ curl: "/v1/workflows", method: "POST", body: workflow });
    const apply = `echo '${JSON.stringify(workflow)}' | pawl workflows apply -f -`;
    return {
        command: `${apply} && pawl run ${workflow.name} --wait`,
        curl: `${define} && ${start(workflow.name)}`,
    };
}

/** How to run one that is there. */
export const howToStart = (workflow: string) => ({
    command: `pawl run ${workflow} --wait`,
    curl: start(workflow),
});
