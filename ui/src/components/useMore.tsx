import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

/** The first rows of a list that may be long, and the button that shows the next ones. */
export function useMore<T>(list: readonly T[], step: number): [T[], ReactNode] {
    const t = useWords(commonWords);
    const [count, setCount] = useState(step);
    const rest = list.length - count;
    const button =
        rest > 0 ? (
            <Button variant="subtle" m="sm" onClick={() => setCount(count + step)}>
                {t("more", { count: rest })}
            </Button>
        ) : null;
    return [list.slice(0, count), button];
}
