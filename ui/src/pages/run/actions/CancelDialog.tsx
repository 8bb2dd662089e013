import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { cancelRun } from "@/data/cancelRun";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Run } from "../model";
import { runWords } from "../words";
import { Dialog } from "./Dialog";

export function CancelDialog({ run, close }: { run: Run; close: () => void }) {
    const t = useWords(runWords);
    const c = useWords(commonWords);
    const [reason, setReason] = useState("");
    const [force, setForce] = useState(false);
    const act = useAct({
        run: () =>
            cancelRun(run.id, { ...(reason ? { reason } : {}), ...(force ? { force } : {}) }),
        done: t("cancelled"),
        changes: [["runs"]],
        onDone: close,
    });
    return (
        <Dialog
            title={t("cancelTitle")}
            text={t("cancelText")}
            button={t("cancelTitle")}
            color="red"
            busy={act.isPending}
            submit={() => act.mutate()}
            close={close}
        >
            <TextInput
                label={c("reason")}
                description={c("reasonHelp")}
                value={reason}
                maxLength={1000}
                data-autofocus
                onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Checkbox
                label={t("force")}
                checked={force}
                onChange={(event) => setForce(event.currentTarget.checked)}
            />
        </Dialog>
    );
}
