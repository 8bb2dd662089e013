import { useWords } from "@/words";
import classes from "./Import.module.css";
import { type LeftOutRow, shownMax } from "./leftOut";
import { importWords } from "./words";

/** The first rows that were left out, each with its line and what is wrong. */
export function LeftOutList({ rows, count }: { rows: LeftOutRow[]; count: number }) {
    const t = useWords(importWords);
    const shown = rows.slice(0, shownMax);
    return (
        <ul className={classes.lines}>
            {shown.map(({ line, problem }) => (
                <li key={line}>{t("atLine", { line, problem })}</li>
            ))}
            {count > shown.length && <li>{t("andMore", { count: count - shown.length })}</li>}
        </ul>
    );
}
