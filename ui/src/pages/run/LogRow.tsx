import { UnstyledButton } from "@mantine/core";
import { actor } from "@/components/actor";
import { Hint } from "@/components/Hint";
import { JsonViewer } from "@/components/json/JsonViewer";
import { formatJson } from "@/data/json";
import { exactDuration, microsHint } from "@/data/time";
import { useWords } from "@/words";
import { Said } from "@/words/said";
import { authorOf, isPassedOff, type RunEvent } from "./model";
import classes from "./StepList.module.css";
import { runWords } from "./words";

interface Props {
    event: RunEvent;
    begin: string;
    open: boolean;
    toggle: () => void;
    chosen: boolean;
    choose: (step: string) => void;
}

/** The moments in the data of an event, which counts microseconds, for people. */
function timesIn(data: unknown): string | undefined {
    if (typeof data !== "object" || data === null) return undefined;
    const found = Object.entries(data).flatMap(([key, value]) => {
        const at = microsHint(key, value);
        return at ? [`${key}: ${at}`] : [];
    });
    return found.length > 0 ? found.join("\n") : undefined;
}

/** One event; its data opens below it. */
export function LogRow({ event, begin, open, toggle, chosen, choose }: Props) {
    const t = useWords(runWords);
    const by = authorOf(event);
    const name = event.by_name;
    const since = Date.parse(event.at) - Date.parse(begin);
    const short = formatJson(event.error ?? event.data ?? null, 0).slice(0, 160);
    return (
        <>
            <tr data-chosen={chosen || undefined}>
                <td className={classes.seq}>{event.seq}</td>
                <td className="numbers">
                    <Hint label={event.at}>
                        <span>+{exactDuration(since)}</span>
                    </Hint>
                </td>
                <td>
                    {isPassedOff(event) ? (
                        <span title={event.type}>{t("passedOff")}</span>
                    ) : (
                        <Said kind="event" word={event.type} />
                    )}
                    {by && <div className={classes.by}>{t("byWhom", { by: actor(by, name) })}</div>}
                </td>
                <td>
                    {event.step && (
                        <UnstyledButton fz="sm" onClick={() => choose(event.step!)}>
                            {event.step}
                            {(event.attempt ?? 1) > 1 && (
                                <span className={classes.type}> #{event.attempt}</span>
                            )}
                        </UnstyledButton>
                    )}
                </td>
                <td>
                    {short !== "null" && (
                        <UnstyledButton
                            className="mono truncate"
                            fz={12}
                            maw={480}
                            c="dimmed"
                            aria-expanded={open}
                            title={timesIn(event.data)}
                            onClick={toggle}
                            display="block"
                        >
                            {short}
                        </UnstyledButton>
                    )}
                </td>
            </tr>
            {open && (
                <tr>
                    <td colSpan={5}>
                        <div className={classes.details}>
                            <JsonViewer value={event} name={`event-${event.seq}`} height={320} />
                        </div>
                    </td>
                </tr>
            )}
        </>
    );
}
