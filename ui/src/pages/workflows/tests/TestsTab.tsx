import { Button, Group, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Types } from "@/builder/types";
import { ErrorView } from "@/components/ErrorView";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { Loading } from "@/components/Loading";
import { api, call, request, type Schemas } from "@/data/api";
import { ApiError } from "@/data/error";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { coverageMarks } from "../canvas/marks";
import { WorkflowGraph } from "../canvas/WorkflowGraph";
import { pathOf, type Workflow } from "../data";
import { Cases } from "./Cases";
import classes from "./Tests.module.css";
import { testsWords } from "./words";

type Kept = Schemas["WorkflowTests"];
type Tested = Schemas["TestedWorkflow"];

/** The test cases that are kept with a workflow: run here, with what they reach on the graph. */
export function TestsTab({ workflow, types }: { workflow: Workflow; types: Types }) {
    const query = useQuery({
        queryKey: ["workflows", workflow.name, "tests"],
        queryFn: async () => {
            try {
                return await request<Kept>("GET", `${pathOf(workflow.name)}/tests`);
            } catch (error) {
                if (error instanceof ApiError && error.status === 404) return null;
                throw error;
            }
        },
        refetchOnWindowFocus: false,
    });
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    if (query.data === undefined) return <Loading />;
    return (
        <Loaded
            key={query.data?.etag ?? "none"}
            workflow={workflow}
            types={types}
            kept={query.data}
        />
    );
}

function Loaded({
    workflow,
    types,
    kept,
}: {
    workflow: Workflow;
    types: Types;
    kept: Kept | null;
}) {
    const t = useWords(testsWords);
    const may = useMay("workflows:write");
    const { name } = workflow;
    const [text, setText] = useState(kept?.text ?? firstCase(t("example")));
    const [tested, setTested] = useState<Tested>();
    const match = kept ? { "If-Match": `"${kept.etag}"` } : {};
    const run = useAct({
        run: () =>
            call(
                api.POST("/v1/workflows/{name}/tests/run", {
                    params: { path: { name } },
                    body: { text },
                }),
            ),
        onDone: setTested,
    });
    const changes = [["workflows", name, "tests"]];
    const save = useAct({
        run: () => request("PUT", `${pathOf(name)}/tests`, { text }, match),
        done: t("saved"),
        changes,
    });
    const remove = useAct({
        run: () => request("DELETE", `${pathOf(name)}/tests`, undefined, match),
        done: t("gone"),
        changes,
    });
    const marks = useMemo(() => (tested ? coverageMarks(tested.coverage) : {}), [tested]);
    return (
        <div className={classes.tests}>
            <div className={classes.side}>
                <Text size="sm" c="dimmed">
                    {t("help")}
                </Text>
                <CodeEditor
                    label={t("cases")}
                    language="yaml"
                    value={text}
                    onChange={setText}
                    minHeight={200}
                    maxHeight={420}
                />
                <Group gap="xs">
                    <Button
                        leftSection={<IconPlayerPlay size={14} />}
                        loading={run.isPending}
                        onClick={() => run.mutate()}
                    >
                        {t("run")}
                    </Button>
                    {may && (
                        <Button
                            variant="default"
                            disabled={text === kept?.text}
                            loading={save.isPending}
                            onClick={() => save.mutate()}
                        >
                            {t("save")}
                        </Button>
                    )}
                    {may && kept && (
                        <Button
                            variant="subtle"
                            color="red"
                            loading={remove.isPending}
                            onClick={() => remove.mutate()}
                        >
                            {t("remove")}
                        </Button>
                    )}
                </Group>
                {tested ? <Cases tested={tested} /> : <Text c="dimmed">{t("none")}</Text>}
            </div>
            <div className={classes.graph}>
                {tested && <CoverageLine tested={tested} />}
                <WorkflowGraph
                    definition={workflow.definition}
                    layout={workflow.layout}
                    types={types}
                    marks={marks}
                />
            </div>
        </div>
    );
}

function CoverageLine({ tested }: { tested: Tested }) {
    const t = useWords(testsWords);
    const { nodes, edges } = tested.coverage;
    const never = nodes.filter((node) => node.visits === 0).map((node) => node.id);
    return (
        <div className={classes.line} role="status">
            {t("coverage", {
                nodes: nodes.length - never.length,
                allNodes: nodes.length,
                edges: edges.filter((edge) => edge.taken > 0).length,
                allEdges: edges.length,
            })}
            {never.length > 0 && (
                <div className={classes.quiet}>{t("never", { names: never.join(", ") })}</div>
            )}
        </div>
    );
}

function firstCase(name: string): string {
    return `tests:\n  - name: ${name}\n    input: {}\n    expect:\n      status: completed\n`;
}
