import { Checkbox } from "@mantine/core";
import { type MouseEvent, memo, type RefObject, useLayoutEffect, useRef } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Column } from "./column";
import classes from "./DataTable.module.css";

interface Props<T> {
    id: string;
    row: T;
    index: number;
    top: number;
    height: number;
    columns: Column<T>[];
    focused: boolean;
    current: boolean;
    selected: boolean;
    /** Always the same functions, so that a row is drawn again only when it changes. */
    onSelect: ((index: number, spans: boolean) => void) | undefined;
    onOpen: ((index: number) => void) | undefined;
}

/** Links and buttons in a row do their own work. */
function isOwn(event: MouseEvent): boolean {
    const own = (event.target as Element).closest("a, button, input, label");
    return own !== null || (window.getSelection()?.toString() ?? "") !== "";
}

/** The table is one stop of Tab: behind it come the links and buttons of the row that it is at. */
function useStops(row: RefObject<HTMLElement | null>, focused: boolean): void {
    useLayoutEffect(() => {
        const own = row.current?.querySelectorAll<HTMLElement>(
            "a, button, input:not([type=checkbox])",
        );
        for (const one of own ?? []) one.tabIndex = focused ? 0 : -1;
    });
}

function Row<T>(props: Props<T>) {
    const { row, index, top, height, columns, onOpen, onSelect } = props;
    const t = useWords(commonWords);
    const place = useRef<HTMLDivElement>(null);
    useStops(place, props.focused);
    return (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys
        <div
            ref={place}
            role="row"
            id={props.id}
            aria-rowindex={index + 2}
            aria-selected={onSelect ? props.selected : undefined}
            className={classes.row}
            data-focused={props.focused || undefined}
            data-current={props.current || undefined}
            data-selected={props.selected || undefined}
            data-opens={onOpen ? true : undefined}
            style={{ height, transform: `translateY(${top}px)` }}
            onClick={(event) => {
                if (!isOwn(event)) onOpen?.(index);
            }}
        >
            {onSelect && (
                <div role="gridcell" className={classes.cell}>
                    <Checkbox
                        aria-label={t("selectRow")}
                        // The grid is one stop of Tab: x or Space selects.
                        tabIndex={-1}
                        checked={props.selected}
                        // With Shift: all rows from the one before to this one.
                        onChange={({ nativeEvent }) =>
                            onSelect(index, (nativeEvent as PointerEvent).shiftKey === true)
                        }
                    />
                </div>
            )}
            {columns.map((column) => (
                <div
                    role="gridcell"
                    key={column.id}
                    className={classes.cell}
                    data-align={column.align}
                >
                    {column.cell(row)}
                </div>
            ))}
        </div>
    );
}

export const TableRow = memo(Row) as typeof Row;
