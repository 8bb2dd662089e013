import { Button, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CodeLine } from "@/components/CodeLine";
import { CopyButton } from "@/components/CopyButton";
import { ErrorView } from "@/components/ErrorView";
import { download } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { api, call } from "@/data/api";
import { useWords } from "@/words";
import type { Workflow } from "./data";
import classes from "./WorkflowPage.module.css";
import { workflowsWords } from "./words";

/** The definition as YAML, byte for byte what the command line prints. */
export function TextTab({ workflow }: { workflow: Workflow }) {
    const t = useWords(workflowsWords);
    const { name, version } = workflow;
    const query = useQuery({
        queryKey: ["workflows", name, "text", version],
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/workflows/{name}/text", {
                    params: { path: { name }, query: { version: String(version) } },
                    parseAs: "text",
                    signal,
                }),
            ),
    });
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    if (query.data === undefined) return <Loading />;
    const text = query.data as string;
    return (
        <div className={classes.text}>
            <Text size="sm" c="dimmed">
                {t("textHelp")}
            </Text>
            <CodeLine text={`pawl workflows show ${quoted(name)} -o yaml`} label="CLI" />
            <Group gap="xs">
                <CopyButton text={text} />
                <Button
                    variant="default"
                    leftSection={<IconDownload size={14} />}
                    onClick={() => download(`${name}.yaml`, text)}
                >
                    {t("downloadText")}
                </Button>
            </Group>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <section className={classes.code} tabIndex={0} aria-label={t("text")}>
                <pre className="mono">{text}</pre>
            </section>
        </div>
    );
}

const quoted = (name: string) =>
    /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
