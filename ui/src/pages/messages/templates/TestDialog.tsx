import { Alert, Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { StatusBadge } from "@/components/StatusBadge";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { messagesWords } from "../words";
import type { Reader } from "./useDraft";

interface Sent {
    message: string;
    state: string;
    connector: string;
    account: string;
    error: string | null;
}

interface Props {
    name: string;
    reader: Reader;
    user: unknown;
    onClose: () => void;
}

const channels = ["email", "sms", "line", "push", "webhook"];

/** Sends what is saved to one address, to try it out. */
export function TestDialog({ name, reader, user, onClose }: Props) {
    const t = useWords(messagesWords);
    const common = useWords(commonWords);
    const [channel, setChannel] = useState("email");
    const [to, setTo] = useState("");
    const send = useAct({
        run: () =>
            request<Sent>("POST", `/v1/templates/${encodeURIComponent(name)}/test`, {
                channel,
                to,
                ...(reader.person ? { person: reader.person } : {}),
                ...(user ? { user } : {}),
                ...(reader.language ? { language: reader.language } : {}),
            }),
        changes: [["messages"], ["sandbox"]],
    });
    const sent = send.data;
    return (
        <Modal opened onClose={onClose} title={t("testTitle", { name })}>
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    send.mutate();
                }}
            >
                <Stack gap="sm">
                    <Select
                        label={t("channel")}
                        data={channels}
                        value={channel}
                        allowDeselect={false}
                        onChange={(value) => setChannel(value ?? "email")}
                    />
                    <TextInput
                        data-autofocus
                        label={t("testTo")}
                        value={to}
                        maxLength={2000}
                        onChange={(event) => setTo(event.currentTarget.value)}
                    />
                    {sent && (
                        <Alert color={sent.state === "sent" ? "teal" : "red"} variant="light">
                            <Group gap="xs">
                                <StatusBadge status={sent.state} />
                                {sent.error ?? `${sent.connector} · ${sent.account}`}
                            </Group>
                            <Group gap="md" mt="xs">
                                <Link to={`/messages/${sent.message}` as "/messages"} search={{}}>
                                    {t("message")}
                                </Link>
                                <Link to={"/messages/sandbox" as "/messages"} search={{}}>
                                    {t("sandbox")}
                                </Link>
                            </Group>
                        </Alert>
                    )}
                    <Group justify="flex-end">
                        <Button variant="default" onClick={onClose}>
                            {common("close")}
                        </Button>
                        <Button type="submit" loading={send.isPending} disabled={to.trim() === ""}>
                            {t("testSend")}
                        </Button>
                    </Group>
                </Stack>
            </form>
        </Modal>
    );
}
