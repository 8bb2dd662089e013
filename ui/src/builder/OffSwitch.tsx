import { Switch } from "@mantine/core";
import { useWords } from "@/words";
import type { GraphNode } from "./graph";
import { isOff, offProblem, setOff } from "./off";
import { useChange, useDraft } from "./store";
import { builderWords } from "./words";

/** Whether runs pass a step; what cannot be switched off says why. */
export function OffSwitch({ node }: { node: GraphNode }) {
    const t = useWords(builderWords);
    const draft = useDraft();
    const change = useChange();
    const off = isOff(node);
    const problem = offProblem(draft, node);
    if (problem === "offLeads" && !off) return null;
    return (
        <Switch
            size="xs"
            label={t("switchedOff")}
            description={t(problem ?? "switchedOffHelp")}
            data-field="disabled"
            checked={off}
            disabled={problem !== undefined && !off}
            onChange={(event) => {
                const next = event.currentTarget.checked;
                change((old) => setOff(old, node.id, next));
            }}
        />
    );
}
