import { Badge, Button, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "./data";
import classes from "./WorkflowPage.module.css";
import { workflowsWords } from "./words";

/** All versions, newest first, with the way back to each. */
export function VersionList({ workflow }: { workflow: Workflow }) {
    const t = useWords(workflowsWords);
    const may = useMay("workflows:write");
    const query = useQuery({
        queryKey: ["workflows", workflow.name, "versions"],
        queryFn: () => request<{ data: Workflow[] }>("GET", `${pathOf(workflow.name)}/versions`),
    });
    const back = useAct({
        run: (version: number) => request("POST", `${pathOf(workflow.name)}/activate`, { version }),
        done: (_, version) => t("rolledBack", { version }),
        changes: [["workflows"]],
    });
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    if (!query.data) return <Loading />;
    return (
        <div className={classes.versions}>
            <Table highlightOnHover aria-label={t("versions")}>
                <Table.Tbody>
                    {query.data.data.map((one) => (
                        <Table.Tr key={one.version}>
                            <Table.Td className="numbers">{one.label ?? one.version}</Table.Td>
                            <Table.Td>
                                {one.active && (
                                    <Badge variant="dot" color="teal">
                                        {t("current")}
                                    </Badge>
                                )}
                                {one.draft && (
                                    <Badge variant="dot" color="gray">
                                        {t("draft")}
                                    </Badge>
                                )}
                                {one.retired_at && (
                                    <Badge variant="dot" color="gray">
                                        {t("retired")}
                                    </Badge>
                                )}
                            </Table.Td>
                            <Table.Td>
                                <Time at={one.created_at} form="ago" />
                            </Table.Td>
                            <Table.Td ta="right">
                                {may && !one.active && !one.retired_at && (
                                    <Button
                                        variant="default"
                                        loading={back.isPending && back.variables === one.version}
                                        onClick={() => back.mutate(one.version)}
                                    >
                                        {t("rollBack")}
                                    </Button>
                                )}
                            </Table.Td>
                        </Table.Tr>
                    ))}
                </Table.Tbody>
            </Table>
        </div>
    );
}
