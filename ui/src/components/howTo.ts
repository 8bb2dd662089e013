import type { Definition } from "@/data/demos";
import { asCurl } from "./CopyMenu";

const start = (workflow: string) =>
    asCurl({ curl: "/v1/runs", method: "POST", body: { workflow } });

/** How to publish a workflow, for an empty list that this fills. */
export const howToPublish = (workflow: Definition) => ({
    command: `echo '${JSON.stringify(workflow)}' | pawl workflows apply -f -`,
    curl: asCurl({ curl: "/v1/workflows", method: "POST", body: workflow }),
});

/** How to publish a workflow and run it, for an empty list that this fills. */
export function howToRun(workflow: Definition): { command: string; curl: string } {
    const { command, curl } = howToPublish(workflow);
    return {
        command: `${command} && pawl run ${workflow.name} --wait`,
        curl: `${curl} && ${start(workflow.name)}`,
    };
}

/** How to run one that is there. */
export const howToStart = (workflow: string) => ({
    command: `pawl run ${workflow} --wait`,
    curl: start(workflow),
});
