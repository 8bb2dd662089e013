import { useLingui } from "@lingui/react";
import { duration, fullTime, roughly, shortTime } from "@/data/time";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { Hint } from "./Hint";
import { useNow } from "./useNow";

interface Props {
    at: string | null | undefined;
    /** "ago": 3m ago; "clock": 14:03:12 (the default). */
    form?: "ago" | "clock";
}

/** A moment in the viewer's zone; UTC on hover. */
export function Time({ at, form = "clock" }: Props) {
    const t = useWords(commonWords);
    const { i18n } = useLingui();
    const now = useNow(form === "ago" ? 1000 : 60_000);
    if (!at) return <span>–</span>;
    const moment = new Date(at);
    if (Number.isNaN(moment.getTime())) return <span>{at}</span>;
    const gone = now - moment.getTime();
    const past = gone >= 0 ? t("ago", { time: roughly(gone) }) : t("in", { time: roughly(gone) });
    const ago = Math.abs(gone) < 1500 ? t("now") : past;
    const said = form === "ago" ? ago : shortTime(moment, new Date(now), i18n.locale);
    const label = `${fullTime(moment, i18n.locale)}\n${moment.toISOString().replace("T", " ").replace("Z", "")} UTC`;
    return (
        <Hint label={label} style={{ whiteSpace: "pre-line" }}>
            <time dateTime={at} className="numbers">
                {said}
            </time>
        </Hint>
    );
}

/** How long something took, or takes until now. */
export function Duration({ from, to }: { from: string; to: string | null | undefined }) {
    const now = useNow(to ? 3_600_000 : 1000);
    const end = to ? new Date(to).getTime() : now;
    return <span className="numbers">{duration(end - new Date(from).getTime())}</span>;
}
