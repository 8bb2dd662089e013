import { Switch } from "@mantine/core";
import { useActions } from "@/data/actions";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "../data";
import { workflowsWords } from "../words";

/** Lets a workflow be started, or keeps everything from it; `alone`: the page is about this one. */
export function SwitchCell({ workflow, alone }: { workflow: Workflow; alone?: boolean }) {
    const t = useWords(workflowsWords);
    const may = useMay("workflows:write");
    const on = workflow.switched_off === null && workflow.active;
    const turn = useAct({
        run: (wanted: boolean) => {
            if (wanted && !workflow.active) {
                return request("POST", `${pathOf(workflow.name)}/activate`, {});
            }
            const body = wanted ? { on: true } : { on: false, reason: t("switchedByHand") };
            return request("POST", `${pathOf(workflow.name)}/switch`, body);
        },
        done: (_, wanted) => t(wanted ? "switchedOn" : "switchedOff", { name: workflow.name }),
        changes: [["workflows"]],
    });
    useActions([
        alone === true &&
            may && {
                label: t(on ? "switchOff" : "switchOn"),
                run: () => turn.mutate(!on),
            },
    ]);
    return (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the row from opening
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the row from opening
        <span onClick={(event) => event.stopPropagation()}>
            <Switch
                size="xs"
                checked={turn.isPending ? turn.variables : on}
                disabled={!may}
                aria-label={t("switchOf", { name: workflow.name })}
                title={workflow.switched_off ?? t(on ? "active" : "inactive")}
                onChange={(event) => turn.mutate(event.currentTarget.checked)}
            />
        </span>
    );
}
