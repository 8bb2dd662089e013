import { useLingui } from "@lingui/react";
import { Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useNow } from "@/components/useNow";
import { useLive } from "@/data/live";
import { queryClient } from "@/data/queries";
import { shortTime } from "@/data/time";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import classes from "./StaleBar.module.css";

/** Says that the server is gone and since when; what is below it is marked as old. */
export function StaleBar() {
    const t = useWords(shellWords);
    const { i18n } = useLingui();
    const { state, lostAt } = useLive();
    const now = useNow();
    // A connection that is back within two seconds is not worth a word.
    if (state !== "lost" || lostAt === undefined || now - lostAt < 1000) return null;
    return (
        <div className={classes.bar} role="alert">
            <IconPlugConnectedX size={16} aria-hidden />
            <span>
                {t("stale", { time: shortTime(new Date(lostAt), new Date(now), i18n.locale) })}
            </span>
            <Button
                size="compact-xs"
                variant="white"
                color="dark"
                onClick={() => void queryClient.refetchQueries({ type: "active" })}
            >
                {t("tryNow")}
            </Button>
        </div>
    );
}
