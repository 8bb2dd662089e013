import { Button, Group, Input, Modal, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { BrokenFields, useBroken } from "@/builder/broken";
import { JsonField } from "@/builder/JsonField";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { workflowsWords } from "./words";

/** Starts a run by hand and goes to it. */
export function StartDialog({ name, onClose }: { name: string; onClose: () => void }) {
    const t = useWords(workflowsWords);
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const [subject, setSubject] = useState("");
    const [data, setData] = useState<unknown>({});
    const { broken, report } = useBroken();
    const start = useAct({
        run: () =>
            request<{ id: string }>("POST", "/v1/runs", {
                workflow: name,
                ...(subject ? { subject } : {}),
                ...(data === undefined ? {} : { data }),
            }),
        done: (run) => t("started", { id: run.id }),
        changes: [["runs"]],
        onDone: (run) => void navigate({ to: `/runs/${run.id}` as "/runs" }),
    });
    return (
        <Modal opened onClose={onClose} title={t("start")}>
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    if (!broken) start.mutate();
                }}
            >
                <Stack gap="sm">
                    <TextInput
                        data-autofocus
                        label={t("startSubject")}
                        description={t("startSubjectHelp")}
                        value={subject}
                        onChange={(event) => setSubject(event.currentTarget.value)}
                    />
                    <Input.Wrapper label={t("startInput")}>
                        <BrokenFields value={report}>
                            <JsonField name={t("startInput")} value={data} onChange={setData} />
                        </BrokenFields>
                    </Input.Wrapper>
                    <Group justify="flex-end">
                        <Button variant="default" onClick={onClose}>
                            {common("cancel")}
                        </Button>
                        <Button type="submit" loading={start.isPending} disabled={broken}>
                            {t("start")}
                        </Button>
                    </Group>
                </Stack>
            </form>
        </Modal>
    );
}
