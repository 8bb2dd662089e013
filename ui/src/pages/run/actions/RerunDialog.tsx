import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { BrokenFields, useBroken } from "@/builder/broken";
import { Loading } from "@/components/Loading";
import { request } from "@/data/api";
import { formatJson } from "@/data/json";
import { useAct } from "@/data/queries";
import { isObject } from "@/pages/inbox/members";
import { InputForm } from "@/pages/workflows/input/InputForm";
import { useInputSchema } from "@/pages/workflows/input/useInputSchema";
import { useWords } from "@/words";
import type { Run } from "../model";
import { runWords } from "../words";
import { Dialog } from "./Dialog";

interface Props {
    run: Run;
    from: string | undefined;
    close: () => void;
}

/** Starts the run again, from its beginning or from a step, with its input or an edited one. */
export function RerunDialog({ run, from, close }: Props) {
    const t = useWords(runWords);
    const navigate = useNavigate();
    const [old] = useState<unknown>(() => run.input ?? {});
    const [input, setInput] = useState(old);
    const { broken, report } = useBroken();
    // From a step it stays on its version.
    const { schema, known } = useInputSchema(run.workflow, from ? run.version : undefined, true);
    const act = useAct<void, { id: string }>({
        run: () => {
            const changed = formatJson(input) !== formatJson(old);
            return request("POST", `/v1/runs/${run.id}/rerun`, {
                ...(changed ? { data: input } : {}),
                ...(from ? { from } : {}),
            });
        },
        done: t("rerun_"),
        changes: [["runs", "list"]],
        onDone: (made) => {
            close();
            void navigate({ to: "/runs/$id", params: { id: made.id } });
        },
    });
    const fine = isObject(input);
    return (
        <Dialog
            title={from ? t("rerunFrom", { step: from }) : t("rerunTitle")}
            text={from ? t("rerunFromText") : t("rerunText")}
            button={t("start")}
            busy={act.isPending}
            disabled={broken || !fine || !known}
            submit={() => act.mutate()}
            close={close}
        >
            {known ? (
                <BrokenFields value={report}>
                    <InputForm
                        label={t("input")}
                        jsonLabel={t("inputJson")}
                        schema={schema}
                        given={old}
                        value={input}
                        onChange={setInput}
                    />
                </BrokenFields>
            ) : (
                <Loading />
            )}
            {!fine && !broken && (
                <Text size="xs" c="red" role="alert">
                    {t("notObject")}
                </Text>
            )}
        </Dialog>
    );
}
