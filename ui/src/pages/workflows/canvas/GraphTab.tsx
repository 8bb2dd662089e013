import { Alert, Text } from "@mantine/core";
import type { Types } from "@/builder/types";
import { ErrorView } from "@/components/ErrorView";
import { Time } from "@/components/Time";
import { useWords } from "@/words";
import { useVersions, type Workflow } from "../data";
import { RangePicker } from "../funnel/RangePicker";
import { useCounts, useFunnel, useLiveFunnel } from "../funnel/useFunnel";
import { useAddress } from "../useAddress";
import { OtherVersions, VersionChoice } from "./OtherVersions";
import classes from "./Panel.module.css";
import { PeoplePanel } from "./PeoplePanel";
import { WorkflowGraph } from "./WorkflowGraph";
import { canvasWords } from "./words";

/** The graph with who waits where, live; a step shows its people beside it. */
export function GraphTab({ workflow, types }: { workflow: Workflow; types: Types }) {
    const t = useWords(canvasWords);
    const [{ at, range, version }, change] = useAddress();
    const funnel = useFunnel(workflow.name, { range });
    useLiveFunnel(workflow.name);
    const { waiting, taken } = useCounts(funnel.data);
    const open = (node: string | undefined) => change({ at: node, version: undefined });
    const showVersion = (one: string | undefined) => change({ at: undefined, version: one });
    const others = (useVersions(workflow.name, 15_000).data ?? []).filter(
        (one) => one.version !== workflow.version && (one.open_runs ?? 0) > 0,
    );
    return (
        <div className={classes.split}>
            <div className={classes.main}>
                <div className={classes.line}>
                    <b className="numbers" data-inside={funnel.data?.inside}>
                        {t("inside", { count: funnel.data?.inside ?? 0 })}
                    </b>
                    <OtherVersions
                        versions={others}
                        shown={workflow.version}
                        onShow={(one) => showVersion(String(one))}
                    />
                    {funnel.data?.as_of && (
                        <span>
                            {t("asOf")} <Time at={funnel.data.as_of} form="ago" />
                        </span>
                    )}
                    <span className={classes.end}>
                        <RangePicker value={range} onChange={(next) => change({ range: next })} />
                    </span>
                </div>
                {funnel.data?.rebuilding && <Alert color="yellow">{t("rebuilding")}</Alert>}
                {funnel.isError && <ErrorView error={funnel.error} retry={funnel.refetch} />}
                <WorkflowGraph
                    definition={workflow.definition}
                    layout={workflow.layout}
                    types={types}
                    waiting={waiting}
                    taken={taken}
                    selected={at}
                    onSelect={open}
                />
                <Text size="xs" c="dimmed" px={20} py={4}>
                    {at ? t("edges") : t("pick")}
                </Text>
            </div>
            {!at && version && (
                <PeoplePanel
                    key={`version ${version}`}
                    name={workflow.name}
                    definition={workflow.definition}
                    version={version}
                    choice={
                        <VersionChoice versions={others} shown={version} onShow={showVersion} />
                    }
                    waiting={0}
                    close={() => showVersion(undefined)}
                />
            )}
            {at && (
                <PeoplePanel
                    key={at}
                    name={workflow.name}
                    definition={workflow.definition}
                    at={at}
                    waiting={waiting[at] ?? 0}
                    close={() => open(undefined)}
                />
            )}
        </div>
    );
}
