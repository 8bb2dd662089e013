import { Alert, Text } from "@mantine/core";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { percent } from "../list/spark";
import { Bars } from "./Bars";
import classes from "./Funnel.module.css";
import { type Arm, compare } from "./rates";
import { type Channels, channelsOf, isSilent, reachOf, reachOfNodes } from "./reach";
import type { By, Comparison, Funnel, FunnelGroup, Metric } from "./useFunnel";
import { funnelWords } from "./words";

interface Props {
    funnel: Funnel;
    by: By;
    metric: Metric;
    /** What the channels report; undefined: it is not known yet. */
    channels: Channels | undefined;
}

/** Groups side by side: rates with intervals, and whether one does better. */
export function Compare({ funnel, by, metric, channels }: Props) {
    const t = useWords(funnelWords);
    const channelName = useChannelNames();
    const groups = funnel.groups ?? [];
    const nameOf = ({ key }: FunnelGroup) => {
        if (by === "version") return t("versionArm", { version: key });
        const name = by === "channel" ? channelName(key) : key;
        return by === "channel" ? name.charAt(0).toUpperCase() + name.slice(1) : name;
    };
    const reach = (group: FunnelGroup) => {
        if (by !== "channel") return channels ? reachOfNodes(group, channels) : null;
        const { all, opens } = channelsOf([group]);
        return reachOf(all, opens);
    };
    if (groups.length === 0) {
        return <Text c="dimmed">{by === "variant" ? t("variantsNone") : t("emptyTitle")}</Text>;
    }
    return (
        <div className={classes.compare}>
            {by === "version" && <Versions groups={groups} metric={metric} />}
            {by === "variant" &&
                (funnel.comparisons ?? []).map((one) => <Variants key={one.split} one={one} />)}
            <div className={classes.groups}>
                {groups.map((group) => (
                    <section key={group.key} className={classes.group} data-group={group.key}>
                        <Text fw={600} className="truncate" title={group.key}>
                            {nameOf(group)}
                        </Text>
                        <Bars
                            totals={group.totals}
                            messages={by === "channel"}
                            came={by === "variant" ? cameTo(group) : undefined}
                            reach={reach(group)}
                        />
                        {by === "channel" && isSilent(group.key) && (
                            <div className={classes.note}>{t("aggregate")}</div>
                        )}
                    </section>
                ))}
            </div>
        </div>
    );
}

/** Runs that left the split by this variant: the key is SPLIT:VARIANT. */
function cameTo(group: FunnelGroup): number | undefined {
    const split = group.nodes.find((node) => group.key.startsWith(`${node.node}:`));
    return split?.passed_by[group.key.slice((split?.node.length ?? 0) + 1)];
}

const ofRuns = new Set<Metric>(["converted", "completed"]);

function Versions({ groups, metric }: { groups: FunnelGroup[]; metric: Metric }) {
    const t = useWords(funnelWords);
    const { arms, leader } = compare(
        groups.map((group) => ({
            key: group.key,
            trials: ofRuns.has(metric) ? group.totals.entered : group.totals.sent,
            hits: group.totals[metric],
        })),
    );
    const verdict = leader
        ? t("leads", { name: t("versionArm", { version: leader }) })
        : t(arms.length > 1 ? "tooEarly" : "noDifference");
    return (
        <Arms
            title={t(`metric_${metric}`)}
            verdict={verdict}
            sure={leader !== null}
            arms={arms}
            name={(key) => t("versionArm", { version: key })}
        />
    );
}

function Variants({ one }: { one: Comparison }) {
    const t = useWords(funnelWords);
    const needed = one.trials_needed;
    const verdict = !one.too_early
        ? t("leads", { name: one.leader ?? "" })
        : needed
          ? t("tooEarlyNeeded", { count: needed })
          : t("tooEarly");
    return (
        <Arms
            title={t("split", { name: one.split })}
            verdict={verdict}
            sure={!one.too_early}
            arms={one.variants.map((arm) => ({ ...arm, key: arm.variant }))}
            name={(key) => key}
        />
    );
}

interface ArmsProps {
    title: string;
    verdict: string;
    sure: boolean;
    arms: Arm[];
    name: (key: string) => string;
}

/** A rate with its interval for each, on one scale. */
function Arms({ title, verdict, sure, arms, name }: ArmsProps) {
    const t = useWords(funnelWords);
    const most = Math.max(0.01, ...arms.map((arm) => arm.high));
    const at = (share: number) => `${(share / most) * 100}%`;
    return (
        <section className={classes.arms}>
            <Alert color={sure ? "teal" : "gray"} title={verdict} data-verdict={sure || undefined}>
                {title} · {t("compareHelp")}
            </Alert>
            {arms.map((arm) => {
                const said = t("interval", { low: percent(arm.low), high: percent(arm.high) });
                return (
                    <div key={arm.key} className={classes.arm} data-arm={arm.key}>
                        <b className="truncate" title={arm.key}>
                            {name(arm.key)}
                        </b>
                        <Hint label={said}>
                            <span className={classes.scale} role="img" aria-label={said}>
                                <span
                                    className={classes.between}
                                    style={{ left: at(arm.low), width: at(arm.high - arm.low) }}
                                />
                                <span className={classes.point} style={{ left: at(arm.rate) }} />
                            </span>
                        </Hint>
                        <span className="numbers">{percent(arm.rate)}</span>
                        <span className={`${classes.note} numbers`}>
                            {t("trials", { hits: arm.hits, trials: arm.trials })}
                        </span>
                    </div>
                );
            })}
        </section>
    );
}
