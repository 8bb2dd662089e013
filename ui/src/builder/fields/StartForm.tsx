import { changeWorkflow } from "../graph";
import { useChange, useDraft } from "../store";
import { TriggersField } from "./TriggersField";

/** What starts the workflow: a part of it as a whole, shown where it begins, too. */
export function StartForm() {
    const { definition } = useDraft();
    const change = useChange();
    return (
        <TriggersField
            value={definition.triggers}
            onChange={(triggers) => change((old) => changeWorkflow(old, { triggers }))}
        />
    );
}
