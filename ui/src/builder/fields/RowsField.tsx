import { ActionIcon, Button, Group, Input, Paper, Stack } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { useWords } from "@/words";
import { builderWords } from "../words";

export type Row = Record<string, unknown>;

interface Props {
    label: string;
    description?: string;
    withAsterisk?: boolean;
    rows: Row[];
    /** What a new row begins with. */
    fresh: Row;
    /** The last one cannot be removed. */
    atLeast?: number;
    onChange: (rows: Row[]) => void;
    row: (row: Row, write: (part: Row) => void, index: number) => ReactNode;
    below?: ReactNode;
}

/** What is not set any more is not there. */
export function withPart(row: Row, part: Row): Row {
    const next = { ...row, ...part };
    for (const key of Object.keys(part)) if (part[key] === undefined) delete next[key];
    return next;
}

/** A list of things with settings of their own: add one, remove one, change one. */
export function RowsField(props: Props) {
    const t = useWords(builderWords);
    const list = useRef<HTMLDivElement>(null);
    /** A new row is what a person goes on with. */
    const focusLast = () =>
        list.current
            ?.querySelector<HTMLElement>(":scope > [role=group]:nth-last-child(2)")
            ?.querySelector<HTMLElement>("input, textarea")
            ?.focus();
    const { label, description = "", withAsterisk = false, rows, fresh } = props;
    const { atLeast = 0, onChange } = props;
    return (
        <Input.Wrapper
            label={label}
            description={description}
            withAsterisk={withAsterisk}
            labelElement="div"
        >
            <Stack gap={6} mt={4} ref={list}>
                {rows.map((row, i) => (
                    <Paper key={i} withBorder p={6} role="group" aria-label={`${label} ${i + 1}`}>
                        <Group gap={6} wrap="nowrap" align="flex-start">
                            <Stack gap={6} flex={1} miw={0}>
                                {props.row(
                                    row,
                                    (part) =>
                                        onChange(
                                            rows.map((one, j) =>
                                                i === j ? withPart(one, part) : one,
                                            ),
                                        ),
                                    i,
                                )}
                            </Stack>
                            {rows.length > atLeast && (
                                <ActionIcon
                                    variant="subtle"
                                    color="gray"
                                    aria-label={t("removeRow", { number: i + 1 })}
                                    onClick={() => onChange(rows.filter((_, j) => j !== i))}
                                >
                                    <IconTrash size={14} />
                                </ActionIcon>
                            )}
                        </Group>
                    </Paper>
                ))}
                <Group gap="xs">
                    <Button
                        size="compact-xs"
                        variant="default"
                        leftSection={<IconPlus size={12} />}
                        onClick={() => {
                            onChange([...rows, structuredClone(fresh)]);
                            requestAnimationFrame(focusLast);
                        }}
                    >
                        {t("addRow")}
                    </Button>
                    {props.below}
                </Group>
            </Stack>
        </Input.Wrapper>
    );
}
