import { Hint } from "@/components/Hint";
import { useLive } from "@/data/live";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import classes from "./LiveState.module.css";

/** A dot: whether what is shown is live. */
export function LiveState() {
    const t = useWords(shellWords);
    const { state, paused } = useLive();
    const words = {
        off: "liveOpening",
        opening: "liveOpening",
        open: "live",
        lost: "liveLost",
    } as const;
    const said = state === "open" && paused ? t("livePaused") : t(words[state]);
    return (
        <Hint label={said}>
            <span
                role="img"
                className={classes.dot}
                data-state={paused && state === "open" ? "paused" : state}
                aria-label={said}
            />
        </Hint>
    );
}
