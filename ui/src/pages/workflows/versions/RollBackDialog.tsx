import { Checkbox, Modal } from "@mantine/core";
import { useState } from "react";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { Dialog } from "@/pages/run/actions/Dialog";
import { JobProgress } from "@/pages/runs/JobProgress";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "../data";
import { versionWords } from "./words";

interface Props {
    workflow: Workflow;
    to: Workflow;
    close: () => void;
}

/** Makes an older version the active one; open runs may go back with it, with progress. */
export function RollBackDialog({ workflow, to, close }: Props) {
    const t = useWords(versionWords);
    const [repin, setRepin] = useState(false);
    const [job, setJob] = useState<string>();
    const title = t("rollTitle", { version: to.label ?? to.version });
    const act = useAct({
        run: () =>
            request<{ id?: string; kind?: string }>("POST", `${pathOf(workflow.name)}/rollback`, {
                to: to.version,
                ...(repin ? { repin: true } : {}),
            }),
        done: t("rolled", { version: to.version }),
        changes: [["workflows"]],
        onDone: (answer) => {
            if (answer.kind && answer.id) setJob(answer.id);
            else close();
        },
    });
    if (job) {
        return (
            <Modal opened onClose={close} title={title} size="lg">
                <JobProgress id={job} close={close} />
            </Modal>
        );
    }
    return (
        <Dialog
            title={title}
            text={t("rollText")}
            button={t("doRoll")}
            busy={act.isPending}
            submit={() => act.mutate()}
            close={close}
        >
            <Checkbox
                label={t("repin", { version: workflow.version })}
                checked={repin}
                onChange={(event) => setRepin(event.currentTarget.checked)}
            />
        </Dialog>
    );
}
