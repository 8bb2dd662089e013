import { Tooltip, UnstyledButton } from "@mantine/core";
import { JsonViewer } from "@/components/json/JsonViewer";
import { formatJson } from "@/data/json";
import { duration } from "@/data/time";
import type { RunEvent } from "./model";
import classes from "./StepList.module.css";

interface Props {
    event: RunEvent;
    begin: string;
    open: boolean;
    toggle: () => void;
    chosen: boolean;
    choose: (step: string) => void;
}

/** One event; its data opens below it. */
export function LogRow({ event, begin, open, toggle, chosen, choose }: Props) {
    const since = Date.parse(event.at) - Date.parse(begin);
    const short = formatJson(event.error ?? event.data ?? null, 0).slice(0, 160);
    return (
        <>
            <tr data-chosen={chosen || undefined}>
                <td className={classes.seq}>{event.seq}</td>
                <td className="numbers">
                    <Tooltip label={event.at}>
                        <span>+{duration(since)}</span>
                    </Tooltip>
                </td>
                <td className="mono">{event.type}</td>
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
