import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { percent } from "../list/spark";
import classes from "./Funnel.module.css";
import { eachOf, messageStages, type Stage, shareOf, stagesOf } from "./rates";
import type { Reach } from "./reach";
import type { FunnelTotals } from "./useFunnel";
import { funnelWords } from "./words";

const decimals = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

interface Props {
    totals: FunnelTotals;
    /** Of messages alone. */
    messages?: boolean;
    /** What the channels report; null: not known yet, or not at all. */
    reach?: Reach | null | undefined;
    /** Runs that came to a variant. */
    came?: number | undefined;
}

/** From entered to converted: a bar for each stage, with its rate and what that means. */
export function Bars({ totals, messages, reach, came }: Props) {
    const t = useWords(funnelWords);
    const stages = messages ? messageStages(totals, reach) : stagesOf(totals, came, reach);
    const most = Math.max(1, ...stages.map((one) => one.count));
    const rate = (stage: Stage) => {
        const share = shareOf(stage);
        const each = eachOf(stage);
        if (each !== undefined) return t("each", { count: decimals.format(each) });
        return share === undefined ? "" : percent(share);
    };
    const label = (stage: Stage) => {
        if (stage.unknown) return t(stage.id === "opened" ? "opensUnknown" : "aggregate");
        const def = t(`def_${stage.id}`);
        if (stage.among === undefined) return def;
        const among = t(stage.id === "clicked" ? "amongClicked" : "among", { count: stage.among });
        return `${def} ${among}`;
    };
    return (
        <div className={classes.bars} role="list">
            {stages.map((stage) => {
                return (
                    <Hint
                        key={stage.id}
                        label={label(stage)}
                        multiline
                        maw={320}
                        position="top-start"
                    >
                        <div className={classes.row} role="listitem" data-stage={stage.id}>
                            <span className={classes.name}>{t(`stage_${stage.id}`)}</span>
                            <span className={classes.track}>
                                <span
                                    className={classes.bar}
                                    data-hatched={stage.unknown}
                                    style={{ width: `${(stage.count / most) * 100}%` }}
                                />
                            </span>
                            <span className={`${classes.count} numbers`}>
                                {stage.unknown ? "–" : stage.count.toLocaleString()}
                            </span>
                            <span className={`${classes.rate} numbers`}>
                                {stage.unknown ? "" : rate(stage)}
                            </span>
                        </div>
                    </Hint>
                );
            })}
            {totals.machine_opened > 0 && (
                <div className={classes.note}>{t("machine", { count: totals.machine_opened })}</div>
            )}
        </div>
    );
}
