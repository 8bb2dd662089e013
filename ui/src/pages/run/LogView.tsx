import { Button, Text, TextInput } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { download } from "@/components/json/JsonViewer";
import { useMore } from "@/components/useMore";
import { formatJson } from "@/data/json";
import { showError } from "@/data/queries";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { LogRow } from "./LogRow";
import type { Log } from "./model";
import classes from "./StepList.module.css";
import { readWholeLog } from "./useRun";
import { runWords } from "./words";

interface Props {
    id: string;
    log: Log;
    chosen: string | undefined;
    choose: (step: string) => void;
}

/** Writes all of the log to a file; what is not shown is read first. */
function SaveLog({ id, log }: { id: string; log: Log }) {
    const t = useWords(runWords);
    const [read, setRead] = useState<number>();
    const leaving = useRef<AbortController | undefined>(undefined);
    useEffect(() => () => leaving.current?.abort(), []);
    const save = async () => {
        leaving.current = new AbortController();
        const { signal } = leaving.current;
        try {
            if (log.cut) setRead(log.events.length);
            const events = log.cut ? await readWholeLog(id, signal, setRead) : log.events;
            download(`${id}.jsonl`, events.map((event) => formatJson(event, 0)).join("\n"));
        } catch (error) {
            if (!signal.aborted) showError(error);
        }
        if (!signal.aborted) setRead(undefined);
    };
    return (
        <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            disabled={read !== undefined}
            onClick={() => void save()}
        >
            {read === undefined
                ? t(log.cut ? "downloadWhole" : "downloadLog")
                : t("readingLog", { count: read })}
        </Button>
    );
}

/** The log itself, in its order: what the run is made of. */
export function LogView({ id, log, chosen, choose }: Props) {
    const t = useWords(runWords);
    const say = useSaid("event");
    const [text, setText] = useState("");
    const [open, setOpen] = useState<number>();
    const wanted = text.trim().toLowerCase();
    const events = useMemo(
        () =>
            wanted
                ? log.events.filter((event) =>
                      `${say(event.type)} ${formatJson(event, 0)}`.toLowerCase().includes(wanted),
                  )
                : log.events,
        [log.events, wanted, say],
    );
    const [shown, more] = useMore(events, 500);
    return (
        <>
            <div className={classes.bar}>
                <TextInput
                    flex={1}
                    value={text}
                    aria-label={t("searchLog")}
                    placeholder={t("searchLog")}
                    leftSection={<IconSearch size={13} />}
                    onChange={(event) => setText(event.currentTarget.value)}
                />
                <SaveLog id={id} log={log} />
            </div>
            {log.cut && (
                <Text size="xs" c="dimmed" px="md" py={4}>
                    {t("cutLog", { count: log.events.length })}
                </Text>
            )}
            <div className={classes.list}>
                <table className={classes.table}>
                    <thead>
                        <tr>
                            <th>#</th>
                            <th>{t("at")}</th>
                            <th>{t("event")}</th>
                            <th>{t("step")}</th>
                            <th>{t("data")}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {shown.map((event) => (
                            <LogRow
                                key={event.seq}
                                event={event}
                                begin={log.events[0]?.at ?? event.at}
                                open={open === event.seq}
                                toggle={() => setOpen(open === event.seq ? undefined : event.seq)}
                                chosen={chosen !== undefined && chosen === event.step}
                                choose={choose}
                            />
                        ))}
                    </tbody>
                </table>
                {more}
            </div>
        </>
    );
}
