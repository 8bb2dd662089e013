import { StatusBadge } from "@/components/StatusBadge";
import { useWords } from "@/words";
import { type Count, counted } from "./counts";
import { type Filter, statuses } from "./filter";
import classes from "./RunsPage.module.css";
import { runsWords } from "./words";

interface Props {
    filter: Filter;
    counts: ReadonlyMap<string, Count> | undefined;
    onChange: (filter: Filter) => void;
}

/** Every status with how many runs have it; several can be chosen. */
export function StatusTabs({ filter, counts, onChange }: Props) {
    const t = useWords(runsWords);
    const chosen = filter.status?.split(",") ?? [];
    const choose = (status: string) => {
        const next = chosen.includes(status)
            ? chosen.filter((one) => one !== status)
            : [...chosen, status];
        const { status: _old, ...rest } = filter;
        onChange(next.length > 0 ? { ...rest, status: next.join(",") } : rest);
    };
    const { status: _status, ...others } = filter;
    return (
        <div className={classes.tabs} role="group" aria-label={t("status")}>
            <button
                type="button"
                className={classes.tab}
                aria-pressed={chosen.length === 0}
                onClick={() => onChange(others)}
            >
                {t("all")}
            </button>
            {statuses.map((status) => {
                const count = counts?.get(status);
                return (
                    <button
                        key={status}
                        type="button"
                        className={classes.tab}
                        aria-pressed={chosen.includes(status)}
                        onClick={() => choose(status)}
                    >
                        <StatusBadge status={status} quiet />
                        {count && <span className={classes.count}>{counted(count)}</span>}
                    </button>
                );
            })}
        </div>
    );
}
