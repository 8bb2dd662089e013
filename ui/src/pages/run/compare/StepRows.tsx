import { StatusBadge } from "@/components/StatusBadge";
import { StepIcon } from "@/components/StepIcon";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import classes from "./Compare.module.css";
import { type Did, inWords, type Row } from "./compare";
import { Wide } from "./Wide";
import { compareWords } from "./words";

const members = 3;

/** What a step did in one run: how it ended, how long it took beside the others. */
function Cell({ did, longest }: { did: Did | undefined; longest: number }) {
    const t = useWords(compareWords);
    if (!did) return <span className={classes.absent}>{t("notThere")}</span>;
    const share = `${Math.max(1, (did.took / longest) * 100)}%`;
    return (
        <>
            <div className={classes.did}>
                <StatusBadge status={did.status} quiet />
                <span className="numbers">{duration(did.took)}</span>
                {did.attempts > 1 && <span>{t("attempts", { count: did.attempts })}</span>}
            </div>
            <div className={classes.bar} aria-hidden>
                <div style={{ width: share }} />
            </div>
            {did.error && <div className={classes.error}>{did.error}</div>}
        </>
    );
}

/** The first members that differ about the results of a step. */
function Results({ row }: { row: Row }) {
    const t = useWords(compareWords);
    const rest = row.results.length - members;
    return (
        <>
            {row.results.slice(0, members).map((one) => (
                <tr key={one.path} className={classes.result}>
                    <th scope="row">{t("resultAt", { path: one.path || t("whole") })}</th>
                    <td className="mono">{inWords(one.left)}</td>
                    <td className="mono">{inWords(one.right)}</td>
                </tr>
            ))}
            {rest > 0 && (
                <tr className={classes.result}>
                    <th scope="row">{t("more", { count: rest })}</th>
                    <td />
                    <td />
                </tr>
            )}
        </>
    );
}

/** Every step that either run came to. */
export function StepRows({ rows }: { rows: Row[] }) {
    const t = useWords(compareWords);
    const longest = Math.max(
        1,
        ...rows.flatMap((row) => [row.left?.took ?? 0, row.right?.took ?? 0]),
    );
    return (
        <Wide label={t("steps")}>
            <table className={classes.table} aria-label={t("steps")}>
                <thead>
                    <tr>
                        <th scope="col">{t("step")}</th>
                        <th scope="col">{t("left")}</th>
                        <th scope="col">{t("right")}</th>
                    </tr>
                </thead>
                {rows.map((row) => (
                    <tbody key={row.step}>
                        <tr data-differs={row.differs || undefined} data-compared={row.step}>
                            <th scope="row">
                                <span className={classes.step}>
                                    <StepIcon
                                        type={row.type}
                                        status={(row.left ?? row.right)?.status ?? ""}
                                    />
                                    {row.step}
                                </span>
                            </th>
                            <td>
                                <Cell did={row.left} longest={longest} />
                            </td>
                            <td>
                                <Cell did={row.right} longest={longest} />
                            </td>
                        </tr>
                        <Results row={row} />
                    </tbody>
                ))}
            </table>
        </Wide>
    );
}
