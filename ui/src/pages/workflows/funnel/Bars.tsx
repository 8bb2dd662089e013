import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { percent } from "../list/spark";
import classes from "./Funnel.module.css";
import { eachOf, messageStages, type Stage, shareOf, stagesOf } from "./rates";
import type { FunnelTotals } from "./useFunnel";
import { funnelWords } from "./words";

const decimals = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

interface Props {
    totals: FunnelTotals;
    /** Of messages alone. */
    messages?: boolean;
    /** The provider tells no deliveries and opens of single messages. */
    unknown?: boolean;
    /** Runs that came to a variant. */
    came?: number | undefined;
}

/** From entered to converted: a bar for each stage, with its rate and what that means. */
export function Bars({ totals, messages, unknown, came }: Props) {
    const t = useWords(funnelWords);
    const stages = messages ? messageStages(totals) : stagesOf(totals, came);
    const most = Math.max(1, ...stages.map((one) => one.count));
    const rate = (stage: Stage) => {
        const share = shareOf(stage);
        const each = eachOf(stage);
        if (each !== undefined) return t("each", { count: decimals.format(each) });
        return share === undefined ? "" : percent(share);
    };
    const hidden = (id: string) => unknown === true && (id === "delivered" || id === "opened");
    return (
        <div className={classes.bars} role="list">
            {stages.map((stage) => {
                return (
                    <Hint
                        key={stage.id}
                        label={hidden(stage.id) ? t("aggregate") : t(`def_${stage.id}`)}
                        multiline
                        maw={320}
                        position="top-start"
                    >
                        <div className={classes.row} role="listitem" data-stage={stage.id}>
                            <span className={classes.name}>{t(`stage_${stage.id}`)}</span>
                            <span className={classes.track}>
                                <span
                                    className={classes.bar}
                                    data-hatched={hidden(stage.id) || undefined}
                                    style={{ width: `${(stage.count / most) * 100}%` }}
                                />
                            </span>
                            <span className={`${classes.count} numbers`}>
                                {hidden(stage.id) ? "–" : stage.count.toLocaleString()}
                            </span>
                            <span className={`${classes.rate} numbers`}>
                                {hidden(stage.id) ? "" : rate(stage)}
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
