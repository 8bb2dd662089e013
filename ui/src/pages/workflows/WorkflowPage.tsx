import { Badge, Button, Group, Tabs } from "@mantine/core";
import { IconEdit, IconPlayerPlay } from "@tabler/icons-react";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTypes } from "@/builder/types";
import { CopyMenu } from "@/components/CopyMenu";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { pathOf, useWorkflow } from "./data";
import { GraphView } from "./GraphView";
import { StartDialog } from "./StartDialog";
import { VersionList } from "./VersionList";
import { workflowsWords } from "./words";

/** One workflow: its graph with what is in it now, its versions, its text. */
export function WorkflowPage() {
    const t = useWords(workflowsWords);
    const { name } = useParams({ from: "/shell/workflows/$name" });
    const { tab = "graph" } = useSearch({ from: "/shell/workflows/$name" });
    const navigate = useNavigate();
    const query = useWorkflow(name);
    const types = useTypes();
    const mayEdit = useMay("workflows:write");
    const mayStart = useMay("runs:write");
    const [starting, setStarting] = useState(false);
    const off = useAct({
        run: (on: boolean) =>
            request(
                "POST",
                `${pathOf(name)}/switch`,
                on ? { on: true } : { on: false, reason: "web" },
            ),
        done: (_, on) => t(on ? "switchedOn" : "switchedOff", { name }),
        changes: [["workflows"]],
    });
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    const workflow = query.data;
    if (!workflow || !types) return <Loading />;
    const open = (value: string | null) =>
        navigate({
            to: ".",
            search: value && value !== "graph" ? { tab: value } : {},
            replace: true,
        });
    return (
        <Page
            title={workflow.name}
            filled
            parents={[{ title: t("title"), to: "/workflows" }]}
            aside={
                <Badge variant="dot" color={workflow.switched_off ? "orange" : "teal"}>
                    {workflow.switched_off ? t("off") : `${t("version")} ${workflow.version}`}
                </Badge>
            }
            actions={
                <Group gap="xs">
                    <CopyMenu curl={pathOf(name)} cli={`workflows show ${name}`} />
                    <Button
                        variant="default"
                        renderRoot={(props) => (
                            <Link to="/runs" search={{ workflow: name }} {...props} />
                        )}
                    >
                        {t("runs")}
                    </Button>
                    {mayEdit && (
                        <Button
                            variant="default"
                            loading={off.isPending}
                            title={t("switchOffHelp")}
                            onClick={() => off.mutate(workflow.switched_off !== null)}
                        >
                            {workflow.switched_off ? t("switchOn") : t("switchOff")}
                        </Button>
                    )}
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
                </Group>
            }
            bar={
                <Tabs value={tab} onChange={open}>
                    <Tabs.List>
                        <Tabs.Tab value="graph">{t("graph")}</Tabs.Tab>
                        <Tabs.Tab value="versions">{t("versions")}</Tabs.Tab>
                        <Tabs.Tab value="text">{t("text")}</Tabs.Tab>
                    </Tabs.List>
                </Tabs>
            }
        >
            {tab === "graph" && <GraphView workflow={workflow} types={types} />}
            {tab === "versions" && <VersionList workflow={workflow} />}
            {tab === "text" && <JsonViewer value={workflow.definition} name={`${name}.json`} />}
            {starting && <StartDialog name={name} onClose={() => setStarting(false)} />}
        </Page>
    );
}
