import { Input, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { BrokenFields, useBroken } from "@/builder/broken";
import { JsonField } from "@/builder/JsonField";
import { shellWord, sqlText } from "@/components/command";
import { FormDialog } from "@/components/FormDialog";
import { api, call, type Schemas } from "@/data/api";
import { formatJson } from "@/data/json";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { triggerWords } from "./words";

function asCommands({ name, subject, data }: Schemas["PublishEvent"]) {
    const json = data === undefined ? undefined : formatJson(data, 0);
    const cli = [
        `events send ${shellWord(name)}`,
        subject && `--subject ${shellWord(subject)}`,
        json && `--data ${shellWord(json)}`,
    ];
    const sql = [
        sqlText(name),
        json && `data => ${sqlText(json)}`,
        subject && `subject => ${sqlText(subject)}`,
    ];
    return {
        cli: cli.filter(Boolean).join(" "),
        sql: `select pawl.emit(${sql.filter(Boolean).join(", ")});`,
    };
}

interface Props {
    workflow: string;
    /** The names of the events that start it. */
    events: string[];
    close: () => void;
}

/** Sends an event by hand, to see whether it starts the workflow. */
export function SendEventDialog({ workflow, events, close }: Props) {
    const t = useWords(triggerWords);
    const [name, setName] = useState(events[0] ?? "");
    const [subject, setSubject] = useState("");
    const [data, setData] = useState<unknown>({});
    const { broken, report } = useBroken();
    const body: Schemas["PublishEvent"] = {
        name,
        ...(subject.trim() ? { subject: subject.trim() } : {}),
        ...(data === undefined ? {} : { data }),
    };
    const send = useAct<void>({
        run: () => call(api.POST("/v1/events", { body })),
        done: t("sent", { name }),
        changes: [["workflows", workflow, "starts"], ["runs"]],
        onDone: close,
    });
    return (
        <FormDialog
            title={t("send")}
            says={t("sendSays")}
            submit={t("send")}
            ready={name !== "" && !broken}
            pending={send.isPending}
            onSubmit={() => send.mutate()}
            close={close}
            copy={{ curl: "/v1/events", method: "POST", body, ...asCommands(body) }}
        >
            <Select
                label={t("event")}
                data={events}
                value={name}
                allowDeselect={false}
                onChange={(value) => setName(value ?? "")}
            />
            <TextInput
                data-autofocus
                label={t("about")}
                value={subject}
                maxLength={500}
                onChange={(event) => setSubject(event.currentTarget.value)}
            />
            <Input.Wrapper label={t("data")}>
                <BrokenFields value={report}>
                    <JsonField name={t("data")} value={data} onChange={setData} />
                </BrokenFields>
            </Input.Wrapper>
        </FormDialog>
    );
}
