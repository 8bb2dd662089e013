import { ActionIcon, Button, Slider, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useShortcuts } from "@/data/keys";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import { Said } from "@/words/said";
import type { Log } from "../model";
import { runWords } from "../words";
import classes from "./GraphView.module.css";

interface Props {
    log: Log;
    seq: number;
    last: number;
    travel: (at: string | undefined) => void;
}

/** Travels through the log: the graph shows the state after each event. */
export function Scrubber({ log, seq, last, travel }: Props) {
    const t = useWords(runWords);
    const go = (to: number) => {
        const next = Math.min(last, Math.max(0, to));
        travel(next === last ? undefined : String(next));
    };
    useShortcuts(t("graph"), [
        { keys: "[", label: t("previousEvent"), run: () => go(seq - 1) },
        { keys: "]", label: t("nextEvent"), run: () => go(seq + 1) },
    ]);
    const event = log.events.find((one) => one.seq === seq);
    const since = event ? Date.parse(event.at) - Date.parse(log.events[0]!.at) : 0;
    return (
        <div className={classes.scrubber}>
            <ActionIcon
                variant="default"
                aria-label={t("previousEvent")}
                disabled={seq === 0}
                onClick={() => go(seq - 1)}
            >
                <IconChevronLeft size={15} />
            </ActionIcon>
            <Slider
                flex={1}
                size="sm"
                min={0}
                max={Math.max(1, last)}
                value={seq}
                label={null}
                thumbLabel={t("scrub", { seq })}
                onChange={go}
            />
            <ActionIcon
                variant="default"
                aria-label={t("nextEvent")}
                disabled={seq === last}
                onClick={() => go(seq + 1)}
            >
                <IconChevronRight size={15} />
            </ActionIcon>
            <Text size="xs" className={classes.moment ?? ""}>
                <b className="numbers">
                    {seq}/{last}
                </b>{" "}
                {event && <Said kind="event" word={event.type} />} {event?.step} +{duration(since)}
            </Text>
            <Button
                size="compact-xs"
                variant="default"
                disabled={seq === last}
                onClick={() => go(last)}
            >
                {t("latest")}
            </Button>
        </div>
    );
}
