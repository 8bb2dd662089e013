import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import classes from "./Funnel.module.css";
import type { Funnel } from "./useFunnel";
import { funnelWords } from "./words";

const kinds = [
    "exited",
    "failed",
    "cancelled",
    "skipped",
    "bounced",
    "undelivered",
    "complained",
    "unsubscribed",
] as const;

// Runs that ended so can be listed; what became of messages is on the page of messages.
const listed = new Set<string>(["exited", "failed", "cancelled"]);

interface Props {
    funnel: Funnel;
    chosen?: string | undefined;
    onChoose: (state: string) => void;
}

/** Where those went who did not come to the end. Runs that ended can be listed. */
export function Losses({ funnel, chosen, onChoose }: Props) {
    const t = useWords(funnelWords);
    const reason = useSaid("reason");
    const totals = funnel.totals;
    if (!totals) return null;
    const details = (kind: string) => {
        const by = {
            skipped: totals.skipped_by,
            failed: totals.failed_by,
            exited: totals.exited_by,
        };
        return Object.entries(by[kind as keyof typeof by] ?? {})
            .map(([why, count]) => `${kind === "skipped" ? reason(why) : why} ${count}`)
            .join(", ");
    };
    return (
        <div className={classes.losses}>
            <div className={classes.loss} data-loss="inside">
                <span className="numbers">{funnel.inside.toLocaleString()}</span>
                {t("loss_inside")}
            </div>
            {kinds
                .filter((kind) => totals[kind] > 0)
                .map((kind) => {
                    const body = (
                        <>
                            <span className="numbers">{totals[kind].toLocaleString()}</span>
                            {t(`loss_${kind}`)}
                        </>
                    );
                    const said = { "data-loss": kind, title: details(kind) };
                    if (!listed.has(kind)) {
                        return (
                            <div key={kind} className={classes.loss} {...said}>
                                {body}
                            </div>
                        );
                    }
                    return (
                        <button
                            key={kind}
                            type="button"
                            className={classes.loss}
                            aria-pressed={chosen === kind}
                            onClick={() => onChoose(kind)}
                            {...said}
                        >
                            {body}
                        </button>
                    );
                })}
        </div>
    );
}
