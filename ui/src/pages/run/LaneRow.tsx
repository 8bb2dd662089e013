import { ActionIcon } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { Hint } from "@/components/Hint";
import { StepIcon } from "@/components/StepIcon";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import { BarView } from "./BarView";
import type { Lane } from "./lanes";
import type { Scale } from "./scale";
import classes from "./Waterfall.module.css";
import { runWords } from "./words";

interface Props {
    lane: Lane;
    scale: Scale;
    depth: number;
    chosen: boolean;
    choose: () => void;
    expanded?: boolean;
    toggle?: () => void;
}

/** One step: its name, its bars, how long it took. */
export function LaneRow({ lane, scale, depth, chosen, choose, expanded, toggle }: Props) {
    const t = useWords(runWords);
    const first = lane.bars[0]?.from ?? scale.from;
    const lastTo = lane.bars.at(-1)?.to ?? scale.to;
    const label = expanded ? t("hideChild") : t("showChild");
    const end = scale.at(lastTo);
    return (
        <div className={classes.lane} data-chosen={chosen || undefined}>
            <div className={classes.name} style={{ paddingLeft: 14 + depth * 20 }}>
                {toggle ? (
                    <Hint label={label}>
                        <ActionIcon
                            size={18}
                            aria-label={label}
                            aria-expanded={expanded ?? false}
                            onClick={toggle}
                            className={classes.chevron ?? ""}
                            data-open={expanded || undefined}
                        >
                            <IconChevronRight size={13} />
                        </ActionIcon>
                    </Hint>
                ) : (
                    <span className={classes.indent} />
                )}
                <button
                    type="button"
                    className={classes.step}
                    onClick={choose}
                    aria-pressed={chosen}
                >
                    <StepIcon type={lane.type} status={lane.status} />
                    <span className="truncate">{lane.step}</span>
                    {lane.item.length > 0 && (
                        <span className={classes.dim}>
                            {t("item", { index: lane.item.join(".") })}
                        </span>
                    )}
                    {lane.visit > 1 && (
                        <span className={classes.dim}>{t("visit", { count: lane.visit })}</span>
                    )}
                </button>
            </div>
            <div className={classes.track}>
                {lane.bars.map((bar) => (
                    <BarView
                        key={`${bar.from}-${bar.kind}-${bar.attempt ?? ""}`}
                        bar={bar}
                        scale={scale}
                    />
                ))}
                <span
                    className={classes.took}
                    style={
                        end > 0.88
                            ? { right: `${(1 - scale.at(first)) * 100 + 0.6}%` }
                            : { left: `calc(${end * 100}% + 8px)` }
                    }
                >
                    {duration(lastTo - first)}
                </span>
            </div>
        </div>
    );
}
