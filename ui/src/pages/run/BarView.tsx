import { Hint } from "@/components/Hint";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import type { Bar } from "./lanes";
import type { Scale } from "./scale";
import classes from "./Waterfall.module.css";
import { runWords } from "./words";

/** A stretch of time; on hover, what happened in it. */
export function BarView({ bar, scale }: { bar: Bar; scale: Scale }) {
    const t = useWords(runWords);
    const left = scale.at(bar.from);
    const right = scale.at(bar.to ?? scale.to);
    const names = {
        queued: t("queuedBar"),
        running: t("runningBar"),
        waiting: t("waitingBar"),
        backoff: t("backoffBar"),
        paused: t("pausedBar"),
    };
    const lines = [
        `${names[bar.kind]} · ${duration((bar.to ?? scale.to) - bar.from)}`,
        bar.attempt !== undefined && bar.kind === "running" && t("attempt", { count: bar.attempt }),
        bar.error,
    ].filter(Boolean);
    return (
        <Hint
            label={lines.join("\n")}
            multiline
            maw={420}
            style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}
        >
            <span
                className={classes.bar}
                data-kind={bar.kind}
                data-outcome={bar.outcome}
                data-open={bar.to === undefined || undefined}
                style={{ left: `${left * 100}%`, width: `${Math.max(0, right - left) * 100}%` }}
            />
        </Hint>
    );
}
