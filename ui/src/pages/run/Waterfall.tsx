import { Switch, Text } from "@mantine/core";
import { useElementSize, useLocalStorage } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { useMore } from "@/components/useMore";
import { useNow } from "@/components/useNow";
import { duration, durations } from "@/data/time";
import { useWords } from "@/words";
import { ChildLanes } from "./ChildLanes";
import { LaneRow } from "./LaneRow";
import { type BarKind, lanesOf, pausesOf } from "./lanes";
import { isOpen, type Log, type Run } from "./model";
import { scaleOf, ticksOf } from "./scale";
import classes from "./Waterfall.module.css";
import { runWords } from "./words";

interface Props {
    run: Run;
    log: Log;
    chosen: string | undefined;
    choose: (step: string) => void;
}

const kinds: BarKind[] = ["queued", "running", "waiting", "backoff", "paused"];
/** Said only where a bar has it. */
const rare: ReadonlySet<BarKind> = new Set(["queued", "paused"]);

/** What each step did, and when, by the clock of the database. */
export function Waterfall({ run, log, chosen, choose }: Props) {
    const t = useWords(runWords);
    const [fold, setFold] = useLocalStorage({ key: "pawl-run-fold", defaultValue: true });
    const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
    const axis = useElementSize();
    const open = isOpen(run);
    const now = useNow(open ? 1000 : 3_600_000);
    const lanes = useMemo(
        () => lanesOf(log.events, log.graph, log.steps, run.status),
        [log, run.status],
    );
    const [shown, more] = useMore(lanes, 300);
    const pauses = useMemo(() => pausesOf(log.events), [log.events]);
    const from = Date.parse(log.events[0]?.at ?? run.created_at);
    const last = Date.parse(log.events.at(-1)?.at ?? run.created_at);
    const to = run.closed_at ? Math.max(Date.parse(run.closed_at), last) : Math.max(now, last + 1);
    const scale = useMemo(() => scaleOf(lanes, from, to, fold), [lanes, from, to, fold]);
    const width = axis.width || 900;
    const ticks = ticksOf(scale, width);
    const labels = durations(ticks.map((tick) => tick.since));
    const toggle = (key: string) =>
        setOpened((old) => {
            const next = new Set(old);
            if (!next.delete(key)) next.add(key);
            return next;
        });
    if (log.ready && lanes.length === 0) {
        return (
            <Text c="dimmed" p="lg">
                {t("noSteps")}
            </Text>
        );
    }
    const names: Record<BarKind, string> = {
        queued: t("queuedBar"),
        running: t("runningBar"),
        waiting: t("waitingBar"),
        backoff: t("backoffBar"),
        paused: t("pausedBar"),
    };
    const drawn = new Set(
        [...lanes.flatMap((lane) => lane.bars), ...pauses].map((bar) => bar.kind),
    );
    return (
        <div className={classes.waterfall}>
            <div className={classes.tools}>
                <div className={classes.legend}>
                    {kinds
                        .filter((kind) => !rare.has(kind) || drawn.has(kind))
                        .map((kind) => (
                            <span key={kind} className={classes.legendItem}>
                                <span className={classes.swatch} data-kind={kind} aria-hidden />
                                {names[kind]}
                            </span>
                        ))}
                </div>
                <Switch
                    label={t("foldIdle")}
                    checked={fold}
                    onChange={(event) => setFold(event.currentTarget.checked)}
                />
            </div>
            {log.cut && (
                <Text size="xs" c="dimmed" px="lg" pb={6}>
                    {t("cutLog", { count: log.events.length })}
                </Text>
            )}
            <div className={classes.chart}>
                <div className={classes.axis} aria-hidden>
                    <span />
                    <div className={classes.track} ref={axis.ref}>
                        {ticks.map((tick, index) => (
                            <span
                                key={tick.since}
                                className={classes.tick}
                                data-last={tick.left * width > width - 54 || undefined}
                                style={{ left: `${tick.left * 100}%` }}
                            >
                                {tick.since === 0 ? "0" : labels[index]}
                            </span>
                        ))}
                    </div>
                </div>
                <div className={classes.lanes}>
                    <div className={classes.under} aria-hidden>
                        {scale.folds.map((one) => (
                            <span
                                key={one.from}
                                className={classes.fold}
                                style={{
                                    left: `${one.left * 100}%`,
                                    width: `${(one.right - one.left) * 100}%`,
                                }}
                            >
                                {t("idle", { time: duration(one.to - one.from) })}
                            </span>
                        ))}
                        {pauses.map((pause) => (
                            <span
                                key={pause.from}
                                className={classes.pause}
                                data-kind={pause.kind}
                                style={{
                                    left: `${scale.at(pause.from) * 100}%`,
                                    width: `${(scale.at(pause.to ?? to) - scale.at(pause.from)) * 100}%`,
                                }}
                            />
                        ))}
                    </div>
                    {shown.map((lane) => (
                        <div key={lane.key}>
                            <LaneRow
                                lane={lane}
                                scale={scale}
                                depth={0}
                                chosen={chosen === lane.step}
                                choose={() => choose(lane.step)}
                                {...(lane.child
                                    ? {
                                          expanded: opened.has(lane.key),
                                          toggle: () => toggle(lane.key),
                                      }
                                    : {})}
                            />
                            {lane.child && opened.has(lane.key) && (
                                <ChildLanes id={lane.child} scale={scale} depth={1} />
                            )}
                        </div>
                    ))}
                    {more}
                </div>
            </div>
        </div>
    );
}
