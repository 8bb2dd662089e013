import { Alert, Button, Checkbox, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, call, request, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { JobProgress } from "@/pages/runs/JobProgress";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { pathOf, type Workflow } from "../data";
import { versionWords } from "./words";

type Job = Schemas["Job"];

interface Props {
    workflow: Workflow;
    versions: Workflow[];
    to: Workflow;
    close: () => void;
}

const over = (job: Job | undefined) => job && job.status !== "queued" && job.status !== "running";

/** Moves open runs to a version: first what it would mean for each, then with progress. */
export function MigrateDialog({ workflow, versions, to, close }: Props) {
    const t = useWords(versionWords);
    const c = useWords(commonWords);
    const [from, setFrom] = useState<string | null>(null);
    const [map, setMap] = useState<Record<string, string>>({});
    const [drain, setDrain] = useState(false);
    const [looked, setLooked] = useState<string>();
    const [moving, setMoving] = useState<string>();
    const others = versions.filter((one) => one.version !== to.version);
    const known = new Set(to.definition.nodes.map((node) => node.id));
    const missing = [
        ...new Set(
            others
                .filter((one) => (from ? String(one.version) === from : (one.open_runs ?? 0) > 0))
                .flatMap((one) => one.definition.nodes.map((node) => node.id))
                .filter((id) => !known.has(id)),
        ),
    ];
    const body = {
        to: to.version,
        ...(from ? { from: Number(from) } : {}),
        ...(Object.keys(map).length > 0 ? { map } : {}),
    };
    const look = useAct({
        run: () => request<Job>("POST", `${pathOf(workflow.name)}/impact`, body),
        onDone: (job) => setLooked(job.id),
    });
    const move = useAct({
        run: () =>
            request<Job>("POST", `${pathOf(workflow.name)}/migrate`, {
                ...body,
                ...(drain && from ? { drain: true } : {}),
            }),
        changes: [["workflows"]],
        onDone: (job) => setMoving(job.id),
    });
    const title = t("moveTitle", { version: to.label ?? to.version });
    if (moving) {
        return (
            <Modal opened onClose={close} title={title} size="lg">
                <JobProgress id={moving} close={close} />
            </Modal>
        );
    }
    const again = () => setLooked(undefined);
    return (
        <Modal opened onClose={close} title={title} size="lg">
            <Stack gap="sm">
                <Text c="dimmed">{t("moveText")}</Text>
                <Select
                    label={t("from")}
                    placeholder={t("fromAll")}
                    clearable
                    value={from}
                    data={others.map((one) => ({
                        value: String(one.version),
                        label: t("version", { version: one.label ?? one.version }),
                    }))}
                    onChange={(value) => {
                        setFrom(value);
                        again();
                    }}
                />
                {missing.length > 0 && <Text size="sm">{t("mapTitle")}</Text>}
                {missing.slice(0, 20).map((id) => (
                    <Group key={id} gap="xs" wrap="nowrap">
                        <Text className="mono truncate" size="xs" title={id}>
                            {id} {t("mapTo")}
                        </Text>
                        <Select
                            aria-label={`${id} ${t("mapTo")}`}
                            placeholder={t("mapSame")}
                            clearable
                            searchable
                            value={map[id] ?? null}
                            data={[...known]}
                            onChange={(value) => {
                                const { [id]: _, ...rest } = map;
                                setMap(value ? { ...rest, [id]: value } : rest);
                                again();
                            }}
                        />
                    </Group>
                ))}
                {from && (
                    <Checkbox
                        label={t("drain")}
                        checked={drain}
                        onChange={(event) => setDrain(event.currentTarget.checked)}
                    />
                )}
                {looked && <Impact id={looked} />}
                <Group justify="flex-end">
                    <Button variant="default" onClick={close}>
                        {c("close")}
                    </Button>
                    <Button variant="light" loading={look.isPending} onClick={() => look.mutate()}>
                        {t("look")}
                    </Button>
                    <Button
                        disabled={!looked}
                        loading={move.isPending}
                        onClick={() => move.mutate()}
                    >
                        {t("doMove")}
                    </Button>
                </Group>
            </Stack>
        </Modal>
    );
}

/** What a move would mean, as the server found out run by run. */
function Impact({ id }: { id: string }) {
    const t = useWords(versionWords);
    const { data: job } = useQuery({
        queryKey: ["jobs", id],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal })),
        refetchInterval: (query) => (over(query.state.data) ? false : 300),
    });
    if (!job || !over(job)) return <Text role="status">…</Text>;
    const counts = (job.counts ?? {}) as Record<string, number>;
    const kinds = (["unaffected", "moves_on", "would_break"] as const).filter((k) => counts[k]);
    return (
        <Alert color={counts.would_break ? "yellow" : "teal"} role="status">
            {kinds.length === 0 && <Text>{t("none")}</Text>}
            {kinds.map((kind) => (
                <Text key={kind} className="numbers" data-impact={kind}>
                    {t(kind, { count: counts[kind] ?? 0 })}
                </Text>
            ))}
            {job.examples?.map((one) => (
                <Text key={`${one.run} ${one.problem}`} size="xs">
                    {one.node && <b>{one.node}: </b>}
                    {one.problem}
                </Text>
            ))}
        </Alert>
    );
}
