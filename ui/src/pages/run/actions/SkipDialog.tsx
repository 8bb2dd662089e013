import { TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Run } from "../model";
import { runWords } from "../words";
import { Dialog } from "./Dialog";
import { JsonField, jsonProblem } from "./JsonField";

interface Props {
    run: Run;
    step: string;
    close: () => void;
}

export function SkipDialog({ run, step, close }: Props) {
    const t = useWords(runWords);
    const c = useWords(commonWords);
    const [reason, setReason] = useState("");
    const [value, setValue] = useState("null");
    const problem = jsonProblem(value);
    const act = useAct({
        run: () =>
            request(
                "POST",
                `/v1/runs/${run.id}/skip`,
                `{"node": ${JSON.stringify(step)}, "reason": ${JSON.stringify(reason.trim())}, "value": ${value.trim() || "null"}}`,
            ),
        done: t("skipped"),
        changes: [["runs", run.id]],
        onDone: close,
    });
    return (
        <Dialog
            title={t("skipTitle", { step })}
            text={t("skipText")}
            button={t("skipTitle", { step })}
            busy={act.isPending}
            disabled={problem !== undefined || reason.trim() === ""}
            submit={() => act.mutate()}
            close={close}
        >
            <TextInput
                label={c("reason")}
                description={c("reasonHelp")}
                value={reason}
                maxLength={1000}
                required
                data-autofocus
                onChange={(event) => setReason(event.currentTarget.value)}
            />
            <JsonField
                label={t("result")}
                value={value}
                onChange={setValue}
                problem={problem}
                height={90}
            />
        </Dialog>
    );
}
