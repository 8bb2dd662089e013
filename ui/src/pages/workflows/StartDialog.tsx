import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { BrokenFields, useBroken } from "@/builder/broken";
import { Loading } from "@/components/Loading";
import { api, call, request, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { InputForm } from "./input/InputForm";
import { defaultsOf } from "./input/schema";
import { useInputSchema } from "./input/useInputSchema";
import { workflowsWords } from "./words";

interface Props {
    /** Of which workflow; nothing: it is asked. */
    name?: string;
    onClose: () => void;
}

/** Starts a run by hand and goes to it. */
export function StartDialog({ name: given, onClose }: Props) {
    const t = useWords(workflowsWords);
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const [chosen, setChosen] = useState<string | null>(null);
    const name = given ?? chosen;
    const workflows = useQuery({
        queryKey: ["workflows", "names"],
        enabled: given === undefined,
        staleTime: 60_000,
        queryFn: ({ signal }) =>
            call(api.GET("/v1/workflows", { params: { query: { limit: 1000 } }, signal })),
        select: (page) => ((page.data ?? []) as Schemas["Workflow"][]).map((one) => one.name),
    });
    const [subject, setSubject] = useState("");
    const [said, setSaid] = useState<{ of: string | null; data: unknown }>();
    const { broken, report } = useBroken();
    const { schema, known } = useInputSchema(name);
    const begin = useMemo(() => defaultsOf(schema), [schema]);
    const data = said && said.of === name ? said.data : begin;
    const start = useAct({
        run: () =>
            request<{ id: string }>("POST", "/v1/runs", {
                workflow: name,
                ...(subject ? { subject } : {}),
                ...(data === undefined ? {} : { data }),
            }),
        done: (run) => t("started", { id: run.id }),
        changes: [["runs"]],
        onDone: (run) => {
            // The page of the run may take a moment to load, in which it could be started twice.
            onClose();
            void navigate({ to: `/runs/${run.id}` as "/runs" });
        },
    });
    return (
        <Modal opened onClose={onClose} title={t("start")}>
            <form
                onSubmit={(event) => {
                    event.preventDefault();
                    if (name && !broken) start.mutate();
                }}
            >
                <Stack gap="sm">
                    {given === undefined && (
                        <Select
                            data-autofocus
                            label={t("startWorkflow")}
                            data={workflows.data ?? []}
                            value={chosen}
                            onChange={setChosen}
                            searchable
                            allowDeselect={false}
                            nothingFoundMessage={t("noneTitle")}
                        />
                    )}
                    <TextInput
                        {...(given === undefined ? {} : { "data-autofocus": true })}
                        label={t("startSubject")}
                        description={t("startSubjectHelp")}
                        value={subject}
                        onChange={(event) => setSubject(event.currentTarget.value)}
                    />
                    {known ? (
                        <BrokenFields value={report}>
                            <InputForm
                                key={name}
                                label={t("startInput")}
                                jsonLabel={t("startInput")}
                                schema={schema}
                                given={begin}
                                value={data}
                                onChange={(next) => setSaid({ of: name, data: next })}
                            />
                        </BrokenFields>
                    ) : (
                        <Loading />
                    )}
                    <Group justify="flex-end">
                        <Button variant="default" onClick={onClose}>
                            {common("cancel")}
                        </Button>
                        <Button
                            type="submit"
                            loading={start.isPending}
                            disabled={broken || !known || !name}
                        >
                            {t("start")}
                        </Button>
                    </Group>
                </Stack>
            </form>
        </Modal>
    );
}
