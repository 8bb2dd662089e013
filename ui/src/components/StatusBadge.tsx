import { useWords } from "@/words";
import { statusWords } from "@/words/statuses";
import classes from "./StatusBadge.module.css";

type Tone = "grey" | "blue" | "amber" | "green" | "red" | "violet";

const tones: Record<string, Tone> = {
    queued: "grey",
    running: "blue",
    waiting: "amber",
    retrying: "amber",
    paused: "violet",
    completed: "green",
    done: "green",
    approved: "green",
    active: "green",
    failed: "red",
    rejected: "red",
    expired: "red",
    open: "blue",
    sending: "blue",
    sent: "blue",
    delivered: "green",
    opened: "green",
    clicked: "green",
    unknown: "amber",
    bounced: "red",
    complained: "red",
    timed_out: "red",
    draft: "violet",
    ok: "green",
    warn: "amber",
    fail: "red",
    working: "green",
    draining: "amber",
    drained: "violet",
    silent: "red",
    closed: "green",
    left_alone: "red",
    half_open: "amber",
    failing: "red",
    published: "green",
    in_flight: "blue",
    revoked: "red",
    enabled: "green",
    disabled: "grey",
};

/** A state as a coloured dot with its word. Unknown states are shown as they are. */
export function StatusBadge({ status, quiet }: { status: string; quiet?: boolean }) {
    const t = useWords(statusWords);
    const known = (statusWords.keys as readonly string[]).includes(status);
    return (
        <span
            className={classes.badge}
            data-tone={tones[status] ?? "grey"}
            data-busy={status === "running" || undefined}
            data-quiet={quiet || undefined}
            data-status={status}
        >
            <span className={classes.dot} aria-hidden />
            {known ? t(status as (typeof statusWords.keys)[number]) : status}
        </span>
    );
}
