import { Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { outcomeWords } from "@/words/outcomes";
import type { Run } from "../model";
import { runWords } from "../words";
import { Dialog } from "./Dialog";
import { JsonField, jsonProblem } from "./JsonField";

interface Props {
    run: Run;
    step: string;
    close: () => void;
}

/** A person who has checked says how a step ended whose outcome is not known. */
export function SettleDialog({ run, step, close }: Props) {
    const t = useWords(runWords);
    const c = useWords(commonWords);
    const o = useWords(outcomeWords);
    const [as, setAs] = useState("");
    const [reason, setReason] = useState("");
    const [data, setData] = useState("null");
    const problem = as === "completed" ? jsonProblem(data) : undefined;
    const act = useAct({
        run: () => {
            const rest =
                as === "completed"
                    ? `"data": ${data.trim() || "null"}`
                    : `"reason": ${JSON.stringify(reason)}`;
            const body = `{"node": ${JSON.stringify(step)}, "as": ${JSON.stringify(as)}, ${rest}}`;
            return request("POST", `/v1/runs/${run.id}/settle`, body);
        },
        done: t("settled"),
        changes: [["runs", run.id]],
        onDone: close,
    });
    return (
        <Dialog
            title={t("settleTitle", { step })}
            text={t("settleText")}
            button={c("save")}
            busy={act.isPending}
            disabled={as === "" || problem !== undefined}
            submit={() => act.mutate()}
            close={close}
        >
            <Radio.Group label={o("settleAs")} value={as} onChange={setAs}>
                <Stack gap={8} mt={6}>
                    <Radio size="xs" value="completed" label={o("completed")} />
                    <Radio size="xs" value="failed" label={o("failed")} />
                    <Radio size="xs" value="retry" label={o("retry")} />
                </Stack>
            </Radio.Group>
            {as === "completed" && (
                <JsonField
                    label={t("result")}
                    value={data}
                    onChange={setData}
                    problem={problem}
                    height={90}
                />
            )}
            {(as === "failed" || as === "retry") && (
                <TextInput
                    label={c("reason")}
                    value={reason}
                    maxLength={1000}
                    onChange={(event) => setReason(event.currentTarget.value)}
                />
            )}
        </Dialog>
    );
}
