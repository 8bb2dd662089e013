import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { request } from "@/data/api";
import { formatJson } from "@/data/json";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Run } from "../model";
import { runWords } from "../words";
import { Dialog } from "./Dialog";
import { JsonField, jsonProblem } from "./JsonField";

interface Props {
    run: Run;
    from: string | undefined;
    close: () => void;
}

/** Starts the run again, from its beginning or from a step, with its input or an edited one. */
export function RerunDialog({ run, from, close }: Props) {
    const t = useWords(runWords);
    const navigate = useNavigate();
    const [old] = useState(() => formatJson(run.input ?? {}));
    const [input, setInput] = useState(old);
    const problem = jsonProblem(input) ?? (/^\s*\{/.test(input) ? undefined : t("notObject"));
    const act = useAct<void, { id: string }>({
        run: () => {
            const parts = [
                ...(input === old ? [] : [`"data": ${input}`]),
                ...(from ? [`"from": ${JSON.stringify(from)}`] : []),
            ];
            return request("POST", `/v1/runs/${run.id}/rerun`, `{${parts.join(", ")}}`);
        },
        done: t("rerun_"),
        changes: [["runs", "list"]],
        onDone: (made) => {
            close();
            void navigate({ to: "/runs/$id", params: { id: made.id } });
        },
    });
    return (
        <Dialog
            title={from ? t("rerunFrom", { step: from }) : t("rerunTitle")}
            text={from ? t("rerunFromText") : t("rerunText")}
            button={t("start")}
            busy={act.isPending}
            disabled={problem !== undefined}
            submit={() => act.mutate()}
            close={close}
        >
            <JsonField
                label={t("inputJson")}
                value={input}
                onChange={setInput}
                problem={problem}
                height={220}
            />
        </Dialog>
    );
}
