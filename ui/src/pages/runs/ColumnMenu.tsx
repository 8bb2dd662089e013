import { ActionIcon, Checkbox, Popover, Stack } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { optionalColumns, useHiddenColumns } from "./columns";
import { runsWords } from "./words";

/** Takes what the menu gives to what opens it. */
function ColumnButton(props: ComponentProps<typeof ActionIcon>) {
    const c = useWords(commonWords);
    return (
        <Hint label={c("columns")}>
            <ActionIcon variant="default" size={30} aria-label={c("columns")} {...props}>
                <IconColumns3 size={15} />
            </ActionIcon>
        </Hint>
    );
}

export function ColumnMenu() {
    const t = useWords(runsWords);
    const [hidden, setHidden] = useHiddenColumns();
    return (
        <Popover position="bottom-end" shadow="md" withinPortal>
            <Popover.Target>
                <ColumnButton />
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
