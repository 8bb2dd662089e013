import { Text } from "@mantine/core";
import { useWords } from "@/words";
import classes from "./Compare.module.css";
import { type Difference, inWords } from "./compare";
import { Wide } from "./Wide";
import { compareWords } from "./words";

const shown = 50;

/** Members of two values that differ, side by side. */
export function Members({ of, all }: { of: string; all: Difference[] }) {
    const t = useWords(compareWords);
    if (all.length === 0) return <Text c="dimmed">{t("same")}</Text>;
    return (
        <Wide label={of}>
            <table className={classes.table}>
                <thead>
                    <tr>
                        <th scope="col">{t("member")}</th>
                        <th scope="col">{t("left")}</th>
                        <th scope="col">{t("right")}</th>
                    </tr>
                </thead>
                <tbody>
                    {all.slice(0, shown).map((one) => (
                        <tr key={one.path} data-differs>
                            <th scope="row" className="mono">
                                {one.path || t("whole")}
                            </th>
                            <td className="mono">{inWords(one.left)}</td>
                            <td className="mono">{inWords(one.right)}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {all.length > shown && (
                <Text size="xs" c="dimmed">
                    {t("more", { count: all.length - shown })}
                </Text>
            )}
        </Wide>
    );
}
