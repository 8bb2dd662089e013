import { Popover, SegmentedControl, UnstyledButton } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "@/words";
import classes from "./Funnel.module.css";
import { daysOf, presets, usual, writeDays } from "./range";
import { funnelWords } from "./words";

interface Props {
    value: string | undefined;
    onChange: (value: string | undefined) => void;
}

/** A range of time: one of the usual ones, or days of a calendar. */
export function RangePicker({ value, onChange }: Props) {
    const t = useWords(funnelWords);
    const [opened, setOpened] = useState(false);
    const days = daysOf(value);
    const [picked, setPicked] = useState<[string | null, string | null]>(days);
    const own = days[0] !== null;
    return (
        <div className={classes.range}>
            <SegmentedControl
                size="xs"
                aria-label={t("range")}
                value={own ? "" : (value ?? usual)}
                data={presets.map((one) => ({ value: one, label: t(`range_${one}`) }))}
                onChange={(next) => onChange(next === usual ? undefined : next)}
            />
            <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md">
                <Popover.Target>
                    <UnstyledButton
                        className={classes.days ?? ""}
                        data-own={own || undefined}
                        onClick={() => {
                            setPicked(days);
                            setOpened(!opened);
                        }}
                    >
                        <IconCalendar size={14} aria-hidden />
                        {own ? `${days[0]} – ${days[1]}` : t("days")}
                    </UnstyledButton>
                </Popover.Target>
                <Popover.Dropdown>
                    <DatePicker
                        type="range"
                        allowSingleDateInRange
                        value={picked}
                        onChange={(next) => {
                            setPicked(next);
                            if (!next[0] || !next[1]) return;
                            onChange(writeDays(next[0], next[1]));
                            setOpened(false);
                        }}
                    />
                </Popover.Dropdown>
            </Popover>
        </div>
    );
}
