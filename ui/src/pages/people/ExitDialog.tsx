import { Modal, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { DialogForm } from "@/components/DialogForm";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { JobProgress } from "@/pages/runs/JobProgress";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { peopleWords } from "./words";

/** Takes a person out of all journeys: cancels the open runs about them, as a job. */
export function ExitDialog({ name, onClose }: { name: string; onClose: () => void }) {
    const t = useWords(peopleWords);
    const common = useWords(commonWords);
    const [reason, setReason] = useState("");
    const [job, setJob] = useState<string>();
    const body = { action: "cancel", filter: { subject: name } };
    const count = useQuery({
        queryKey: ["people", name, "exit"],
        gcTime: 0,
        queryFn: () =>
            request<{ total: number; complete?: boolean }>("POST", "/v1/runs/bulk", {
                ...body,
                dry_run: true,
            }),
    });
    const why = reason.trim();
    const copy = {
        curl: "/v1/runs/bulk",
        method: "POST",
        body: { ...body, ...(why ? { reason: why } : {}) },
        cli: `runs bulk cancel --subject ${shellWord(name)} --yes${why ? ` --reason ${shellWord(why)}` : ""}`,
    };
    const exit = useAct({
        run: () => request<{ id: string }>("POST", "/v1/runs/bulk", copy.body),
        changes: [["people", name], ["runs"]],
        onDone: (made) => setJob(made.id),
    });
    const ready = Number(count.data?.total ?? 0) > 0;
    return (
        <Modal opened onClose={onClose} title={t("exitTitle", { key: name })}>
            {job ? (
                <JobProgress id={job} close={onClose} />
            ) : (
                <DialogForm
                    submit={t("exit")}
                    grave
                    ready={ready}
                    pending={exit.isPending}
                    onSubmit={() => exit.mutate()}
                    close={onClose}
                    copy={copy}
                >
                    <Text>{t("exitHelp")}</Text>
                    <Text role="status">
                        {count.data ? t("exitCount", { count: Number(count.data.total) }) : "…"}
                    </Text>
                    <TextInput
                        data-autofocus
                        label={common("reason")}
                        description={common("reasonHelp")}
                        maxLength={1000}
                        value={reason}
                        onChange={(event) => setReason(event.currentTarget.value)}
                    />
                </DialogForm>
            )}
        </Modal>
    );
}
