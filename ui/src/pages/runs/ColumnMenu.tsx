import { ActionIcon, Checkbox, Popover, Stack, Tooltip } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { optionalColumns, useHiddenColumns } from "./columns";
import { runsWords } from "./words";

export function ColumnMenu() {
    const t = useWords(runsWords);
    const c = useWords(commonWords);
    const [hidden, setHidden] = useHiddenColumns();
    return (
        <Popover position="bottom-end" shadow="md" withinPortal>
            <Popover.Target>
                <Tooltip label={c("columns")}>
                    <ActionIcon variant="default" size={30} aria-label={c("columns")}>
                        <IconColumns3 size={15} />
                    </ActionIcon>
                </Tooltip>
            </Popover.Target>
            <Popover.Dropdown>
                <Stack gap={8}>
                    {optionalColumns.map((column) => (
                        <Checkbox
                            key={column}
                            label={t(column)}
                            checked={!hidden.includes(column)}
                            onChange={() =>
                                setHidden((old) =>
                                    old.includes(column)
                                        ? old.filter((one) => one !== column)
                                        : [...old, column],
                                )
                            }
                        />
                    ))}
                </Stack>
            </Popover.Dropdown>
        </Popover>
    );
}
