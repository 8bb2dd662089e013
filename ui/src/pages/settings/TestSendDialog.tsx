import { Alert, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { FormDialog } from "@/components/FormDialog";
import { api, call } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Connector } from "./connectors";
import { settingsWords } from "./words";

interface Props {
    connector: Connector;
    account: string;
    close: () => void;
}

interface Sent {
    state: string;
    error?: string | null;
}

/** Sends one message through an account, to see that it works. */
export function TestSendDialog({ connector, account, close }: Props) {
    const t = useWords(settingsWords);
    const { data } = useQuery({
        queryKey: ["templates", "names"],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/templates", { params: { query: { limit: 200 } }, signal })),
    });
    const names = (data?.data ?? []).map((one) => one.name);
    const [template, setTemplate] = useState<string | null>(null);
    const [channel, setChannel] = useState(connector.channels[0] ?? "");
    const [to, setTo] = useState("");
    const [sent, setSent] = useState<Sent>();
    const body = { channel, to: to.trim(), connector: connector.name, account };
    const name = template ?? names[0] ?? "";
    const act = useAct<void, Sent>({
        run: () =>
            call(
                api.POST("/v1/templates/{name}/test", { params: { path: { name } }, body }),
            ) as Promise<Sent>,
        onDone: setSent,
    });
    return (
        <FormDialog
            title={t("testSend")}
            says={t("testSendSays", { account })}
            submit={t("send")}
            ready={name !== "" && to.trim() !== ""}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{
                curl: `/v1/templates/${encodeURIComponent(name)}/test`,
                method: "POST",
                body,
                cli: [
                    `templates send-test ${shellWord(name)} --channel ${shellWord(channel)}`,
                    `--to ${shellWord(body.to)} --connector ${shellWord(connector.name)}`,
                    `--account ${shellWord(account)}`,
                ].join(" "),
            }}
        >
            {data && names.length === 0 && (
                <Alert color="yellow" variant="light">
                    {t("noTemplates")}
                </Alert>
            )}
            <Select
                label={t("template")}
                searchable
                allowDeselect={false}
                value={name || null}
                data={names}
                onChange={setTemplate}
            />
            <Select
                label={t("channel")}
                allowDeselect={false}
                value={channel}
                data={connector.channels}
                onChange={(value) => setChannel(value ?? "")}
            />
            <TextInput
                required
                label={t("sendTo")}
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
            />
            {sent && (
                <Alert
                    role="status"
                    variant="light"
                    color={sent.state === "sent" ? "teal" : "red"}
                    title={t(sent.state === "sent" ? "testSent" : "testFailed")}
                >
                    {sent.error}
                </Alert>
            )}
        </FormDialog>
    );
}
