import { Badge, Button, Tabs } from "@mantine/core";
import { IconEdit, IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTypes } from "@/builder/types";
import { CopyMenu } from "@/components/CopyMenu";
import { shellWord, sqlText } from "@/components/command";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { GraphTab } from "./canvas/GraphTab";
import { pathOf, useWorkflow, type Workflow } from "./data";
import { FunnelTab } from "./funnel/FunnelTab";
import { SwitchCell } from "./list/SwitchCell";
import { Ownership } from "./Ownership";
import { RunsTab } from "./RunsTab";
import { StartDialog } from "./StartDialog";
import { TextTab } from "./TextTab";
import { TestsTab } from "./tests/TestsTab";
import { TriggersTab } from "./triggers/TriggersTab";
import { VersionsTab } from "./versions/VersionsTab";
import classes from "./WorkflowPage.module.css";
import { workflowsWords } from "./words";

const tabs = ["graph", "runs", "funnel", "versions", "triggers", "tests", "text"] as const;
type Tab = (typeof tabs)[number];

const commands: Record<Tab, (name: string) => string> = {
    graph: (name) => `workflows show ${name} --graph`,
    runs: (name) => `runs list --workflow ${name}`,
    funnel: (name) => `funnel ${name}`,
    versions: (name) => `versions list ${name}`,
    triggers: (name) => `workflows show ${name}`,
    tests: (name) => `test ${name}.yaml`,
    text: (name) => `workflows show ${name} -o yaml`,
};

/** What the database has a view of. */
const statements: Partial<Record<Tab, (name: string) => string>> = {
    graph: (name) =>
        `select node, state, count(*)\nfrom pawl.people_inside\nwhere workflow = ${name}\ngroup by 1, 2;`,
    runs: (name) =>
        `select *\nfrom workflow_executions\nwhere workflow_name = ${name}\norder by created_at desc\nlimit 100;`,
    funnel: (name) =>
        `select what, detail, sum(count)\nfrom pawl.funnel\nwhere workflow = ${name} and variant = ''\ngroup by 1, 2;`,
};

const paths: Partial<Record<Tab, string>> = {
    funnel: "/funnel",
    versions: "/versions",
    triggers: "/starts",
    tests: "/tests",
    text: "/text",
};

/** One workflow: its graph with who is where, its runs, numbers, versions, triggers, tests, text. */
export function WorkflowPage() {
    const t = useWords(workflowsWords);
    const { name } = useParams({ from: "/shell/workflows/$name" });
    const found = useSearch({ from: "/shell/workflows/$name" });
    const tab: Tab = tabs.find((one) => one === found.tab) ?? "graph";
    const navigate = useNavigate();
    const query = useWorkflow(name);
    const mayEdit = useMay("workflows:write");
    const mayStart = useMay("runs:write");
    const [starting, setStarting] = useState(false);
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    const workflow = query.data;
    if (!workflow) return <Loading />;
    const open = (value: string | null) =>
        navigate({
            to: ".",
            search: {
                ...(value && value !== "graph" ? { tab: value } : {}),
                ...(found.range ? { range: found.range } : {}),
            },
        });
    return (
        <Page
            title={workflow.name}
            filled
            parents={[{ title: t("title"), to: "/workflows" }]}
            aside={
                <>
                    <Badge variant="dot" color={workflow.switched_off ? "orange" : "teal"}>
                        {workflow.switched_off
                            ? t("off")
                            : `${t("version")} ${workflow.label ?? workflow.version}`}
                    </Badge>
                    <SwitchCell workflow={workflow} alone />
                    <Ownership workflow={workflow} />
                </>
            }
            actions={
                <>
                    <CopyMenu
                        curl={
                            tab === "runs"
                                ? `/v1/runs?workflow=${encodeURIComponent(name)}`
                                : `${pathOf(name)}${paths[tab] ?? ""}`
                        }
                        cli={commands[tab](shellWord(name))}
                        sql={statements[tab]?.(sqlText(name))}
                    />
                    {mayStart && (
                        <Button
                            variant="default"
                            leftSection={<IconPlayerPlay size={14} />}
                            onClick={() => setStarting(true)}
                        >
                            {t("start")}
                        </Button>
                    )}
                    {mayEdit && (
                        <Button
                            leftSection={<IconEdit size={14} />}
                            onClick={() =>
                                navigate({
                                    to: "/workflows/$name/edit",
                                    params: { name },
                                    search: {},
                                })
                            }
                        >
                            {t("edit")}
                        </Button>
                    )}
                </>
            }
            bar={
                <Tabs value={tab} onChange={open} className={classes.tabs ?? ""}>
                    <Tabs.List>
                        {tabs.map((one) => (
                            <Tabs.Tab key={one} value={one}>
                                {t(one)}
                            </Tabs.Tab>
                        ))}
                    </Tabs.List>
                </Tabs>
            }
        >
            <Content tab={tab} workflow={workflow} />
            {starting && <StartDialog name={name} onClose={() => setStarting(false)} />}
        </Page>
    );
}

function Content({ tab, workflow }: { tab: Tab; workflow: Workflow }) {
    const types = useTypes();
    if (!types) return <Loading />;
    switch (tab) {
        case "runs":
            return <RunsTab name={workflow.name} />;
        case "funnel":
            return <FunnelTab workflow={workflow} />;
        case "versions":
            return <VersionsTab workflow={workflow} types={types} />;
        case "triggers":
            return <TriggersTab workflow={workflow} />;
        case "tests":
            return <TestsTab workflow={workflow} types={types} />;
        case "text":
            return <TextTab workflow={workflow} />;
        default:
            return <GraphTab workflow={workflow} types={types} />;
    }
}
