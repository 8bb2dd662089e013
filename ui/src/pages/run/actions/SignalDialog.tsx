import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Run } from "../model";
import { runWords } from "../words";
import { Dialog } from "./Dialog";
import { JsonField, jsonProblem } from "./JsonField";

interface Props {
    run: Run;
    name: string;
    close: () => void;
}

export function SignalDialog({ run, name: given, close }: Props) {
    const t = useWords(runWords);
    const [name, setName] = useState(given);
    const [data, setData] = useState("{}");
    const [early, setEarly] = useState(false);
    const problem = jsonProblem(data);
    const act = useAct({
        // The text goes as it was typed: a number of 64 bits stays one.
        run: () =>
            request(
                "POST",
                `/v1/runs/${run.id}/signals`,
                `{"name": ${JSON.stringify(name.trim())}, "early": ${early}, "data": ${data.trim() || "null"}}`,
            ),
        done: t("signalled"),
        changes: [["runs", run.id]],
        onDone: close,
    });
    return (
        <Dialog
            title={t("signalTitle")}
            button={t("send")}
            busy={act.isPending}
            disabled={problem !== undefined || name.trim() === ""}
            submit={() => act.mutate()}
            close={close}
        >
            <TextInput
                label={t("signalName")}
                value={name}
                maxLength={200}
                required
                data-autofocus
                onChange={(event) => setName(event.currentTarget.value)}
            />
            <JsonField label={t("signalData")} value={data} onChange={setData} problem={problem} />
            <Checkbox
                label={t("early")}
                checked={early}
                onChange={(event) => setEarly(event.currentTarget.checked)}
            />
        </Dialog>
    );
}
