import { Anchor, Select, Text, Title } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Time } from "@/components/Time";
import { today } from "@/data/clock";
import { baseUrl } from "@/data/place";
import { StartButton } from "@/pages/runs/StartButton";
import { useWords } from "@/words";
import panel from "../canvas/Panel.module.css";
import { useVersions, type Workflow } from "../data";
import { useAddress } from "../useAddress";
import { Bars } from "./Bars";
import { Compare } from "./Compare";
import classes from "./Funnel.module.css";
import { FunnelPeople } from "./FunnelPeople";
import { Losses } from "./Losses";
import { RangePicker } from "./RangePicker";
import { reachOf } from "./reach";
import { StepBars } from "./StepBars";
import {
    type By,
    type Metric,
    queryOf,
    sends,
    useChannels,
    useFunnel,
    useLiveFunnel,
} from "./useFunnel";
import { funnelWords } from "./words";

const groupings = ["version", "variant", "channel", "day"] as const;
const metrics = ["converted", "completed", "opened", "clicked", "replied"] as const;

/** How a workflow does: bars from entered to converted, step by step, and side by side. */
export function FunnelTab({ workflow }: { workflow: Workflow }) {
    const t = useWords(funnelWords);
    const [found, set] = useAddress();
    const { range, version, at, out } = found;
    const by = groupings.find((one) => one === found.by) as By | undefined;
    const metric = (metrics.find((one) => one === found.metric) ?? "converted") as Metric;
    const wanted = { range, version, by, ...(by ? { metric } : {}) };
    const funnel = useFunnel(workflow.name, wanted);
    const versions = useVersions(workflow.name);
    useLiveFunnel(workflow.name);
    const data = funnel.data;
    const channels = useChannels(
        workflow.name,
        { range, version },
        by !== "channel" && sends(data),
    );
    const reach = channels ? reachOf(channels.all, channels.opens) : null;
    const csv = new URLSearchParams({
        ...(queryOf(wanted, today()) as Record<string, string>),
        format: "csv",
    });
    return (
        <div className={panel.split}>
            <div className={`${panel.main} ${classes.scroll}`}>
                <div className={classes.controls}>
                    <RangePicker value={range} onChange={(next) => set({ range: next })} />
                    <Select
                        className={classes.pick ?? ""}
                        aria-label={t("version")}
                        placeholder={t("allVersions")}
                        clearable
                        value={version ?? null}
                        data={(versions.data ?? []).map((one) => ({
                            value: String(one.version),
                            label: t("versionArm", { version: one.label ?? one.version }),
                        }))}
                        onChange={(next) => set({ version: next ?? undefined })}
                    />
                    <Select
                        className={classes.pick ?? ""}
                        aria-label={t("compareBy")}
                        placeholder={t("by_none")}
                        clearable
                        value={by ?? null}
                        data={groupings.map((one) => ({ value: one, label: t(`by_${one}`) }))}
                        onChange={(next) => set({ by: next ?? undefined, at: undefined })}
                    />
                    {(by === "version" || by === "variant") && (
                        <Select
                            className={classes.pick ?? ""}
                            aria-label={t("metric")}
                            value={metric}
                            allowDeselect={false}
                            data={metrics.map((one) => ({ value: one, label: t(`metric_${one}`) }))}
                            onChange={(next) => set({ metric: next ?? undefined })}
                        />
                    )}
                    <Anchor
                        size="xs"
                        download
                        href={`${baseUrl}/v1/workflows/${encodeURIComponent(workflow.name)}/funnel?${csv}`}
                    >
                        {t("csv")}
                    </Anchor>
                    {data?.as_of && (
                        <Text size="xs" c="dimmed">
                            {t("asOf")} <Time at={data.as_of} form="ago" />
                        </Text>
                    )}
                </div>
                {funnel.isError && <ErrorView error={funnel.error} retry={funnel.refetch} />}
                {!data && !funnel.isError && <Loading />}
                {data && by && data.by === by && (
                    <Compare funnel={data} by={by} metric={metric} channels={channels} />
                )}
                {data?.totals && !by && data.totals.entered === 0 && data.inside === 0 && (
                    <EmptyState
                        icon={IconFilter}
                        title={t("emptyTitle")}
                        text={t("emptyText")}
                        command={`pawl run ${workflow.name}`}
                        curl={{
                            curl: "/v1/runs",
                            method: "POST",
                            body: { workflow: workflow.name },
                        }}
                    >
                        <StartButton workflow={workflow.name} variant="light" />
                    </EmptyState>
                )}
                {data?.totals && !by && (data.totals.entered > 0 || data.inside > 0) && (
                    <div className={classes.body}>
                        <Bars totals={data.totals} reach={reach} />
                        <Title order={2}>{t("losses")}</Title>
                        <Losses
                            funnel={data}
                            chosen={out}
                            onChoose={(state) => set({ out: state, at: undefined })}
                        />
                        <Title order={2} title={t("stepHelp")}>
                            {t("perStep")}
                        </Title>
                        <StepBars
                            nodes={data.nodes ?? []}
                            channels={channels}
                            selected={at}
                            onSelect={(node, lost) =>
                                set({ at: node, out: lost ? "ended" : undefined })
                            }
                        />
                    </div>
                )}
            </div>
            {(at || out) && !by && data && (
                <FunnelPeople
                    key={`${at} ${out}`}
                    workflow={workflow}
                    nodes={data.nodes ?? []}
                    found={found}
                    set={set}
                />
            )}
        </div>
    );
}
