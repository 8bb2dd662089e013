import { Select, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { api, call } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Webhook } from "./webhook";
import { operationsWords } from "./words";

type Kind = "url" | "queue" | "channel";

const known = ["*", "run.*", "run.completed", "run.failed", "run.cancelled", "task.created"];

interface Props {
    close: () => void;
    made: (webhook: Webhook) => void;
}

/** A new receiver of messages about runs. */
export function WebhookDialog({ close, made }: Props) {
    const t = useWords(operationsWords);
    const [name, setName] = useState("");
    const [kind, setKind] = useState<Kind>("url");
    const [address, setAddress] = useState("");
    const [events, setEvents] = useState<string[]>(["run.*"]);
    const body = {
        ...(name.trim() ? { name: name.trim() } : {}),
        [kind]: address.trim(),
        events,
    };
    const act = useAct<void, Webhook>({
        run: () => call(api.POST("/v1/webhooks", { body })),
        changes: [["webhooks"]],
        onDone: made,
    });
    const cli = [
        "webhooks create",
        `--${kind} '${address.trim()}'`,
        ...events.map((one) => `--event '${one}'`),
    ].join(" ");
    return (
        <FormDialog
            title={t("newWebhook")}
            says={t("newWebhookSays")}
            submit={t("createWebhook")}
            ready={address.trim() !== "" && events.length > 0}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{ curl: "/v1/webhooks", method: "POST", body, cli }}
        >
            <TextInput
                data-autofocus
                label={t("name")}
                maxLength={200}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
                label={t("kind")}
                allowDeselect={false}
                value={kind}
                data={[
                    { value: "url", label: t("kindUrl") },
                    { value: "queue", label: t("kindQueue") },
                    { value: "channel", label: t("kindChannel") },
                ]}
                onChange={(value) => setKind((value as Kind | null) ?? "url")}
            />
            <TextInput
                required
                label={t("address")}
                placeholder={kind === "url" ? "https://example.com/hook" : "finished_runs"}
                maxLength={kind === "url" ? 2000 : 63}
                value={address}
                onChange={(event) => setAddress(event.currentTarget.value)}
            />
            <TagsInput
                label={t("events")}
                description={t("eventsHelp")}
                value={events}
                data={known}
                onChange={setEvents}
            />
        </FormDialog>
    );
}
