import { Checkbox, Skeleton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useId, useMemo, useRef } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { ErrorView } from "../ErrorView";
import type { Column } from "./column";
import classes from "./DataTable.module.css";
import { TableRow } from "./TableRow";
import { useFitting } from "./useFitting";
import { useRowKeys } from "./useRowKeys";
import { useSame } from "./useSame";
import { useSelecting } from "./useSelecting";

interface Props<T> {
    /** Names the table for screen readers. */
    label: string;
    columns: Column<T>[];
    rows: T[];
    rowKey: (row: T) => string;
    /** What `usePages` returned. */
    state: {
        isPending: boolean;
        isError: boolean;
        error: unknown;
        hasNextPage: boolean;
        isFetchingNextPage: boolean;
        fetchNextPage: () => unknown;
        refetch: () => unknown;
    };
    empty: ReactNode;
    /** What stands under the last row and the end. */
    below?: ReactNode;
    onOpen?: (row: T) => void;
    selected?: ReadonlySet<string>;
    onSelect?: (selected: ReadonlySet<string>) => void;
    rowHeight?: number;
    /** Which row is shown beside the table. */
    current?: string | undefined;
    /** The page has keys of its own for the next and the previous row. */
    ownKeys?: boolean;
}

/** A list of any length: draws the rows that can be seen, reads the next page near its end. */
export function DataTable<T>(props: Props<T>) {
    const { label, rows, rowKey, state, onOpen, selected, onSelect, rowHeight = 38 } = props;
    const t = useWords(commonWords);
    const columns = useFitting(props.columns);
    const scroller = useRef<HTMLDivElement>(null);
    const grid = useRef<HTMLDivElement>(null);
    const id = useId();
    const virtual = useVirtualizer({
        count: rows.length,
        getScrollElement: () => scroller.current,
        estimateSize: () => rowHeight,
        overscan: 10,
    });
    // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height
    useEffect(() => virtual.measure(), [rowHeight, virtual]);
    const items = virtual.getVirtualItems();
    const last = items.at(-1)?.index ?? 0;
    const { hasNextPage, isFetchingNextPage, fetchNextPage } = state;
    useEffect(() => {
        if (hasNextPage && !isFetchingNextPage && last >= rows.length - 20) fetchNextPage();
    }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, rows.length]);
    const select = useSelecting({ rows, rowKey, selected, onSelect });
    const toggle = useSame(select.toggle);
    const { focused, onKeyDown, onFocus, setFocused } = useRowKeys({
        grid,
        taken: props.ownKeys ?? false,
        opens: onOpen !== undefined,
        count: rows.length,
        open: (index) => onOpen?.(rows[index]!),
        show: (index) => virtual.scrollToIndex(index),
        ...(onSelect ? { select: { ...select, any: (selected?.size ?? 0) > 0 } } : {}),
    });
    const openRow = useSame((index: number) => {
        setFocused(index);
        onOpen?.(rows[index]!);
    });
    const tracks = useMemo(
        () => [...(onSelect ? ["34px"] : []), ...columns.map((column) => column.width)].join(" "),
        [columns, onSelect],
    );
    if (state.isError) return <ErrorView error={state.error} retry={() => state.refetch()} />;
    if (!state.isPending && rows.length === 0) return <>{props.empty}</>;
    const all = rows.length > 0 && rows.every((row) => selected?.has(rowKey(row)));
    return (
        <div ref={scroller} className={classes.scroller}>
            <div
                ref={grid}
                role="grid"
                aria-label={label}
                aria-rowcount={hasNextPage ? -1 : rows.length + 1}
                aria-busy={state.isPending}
                aria-activedescendant={
                    items.some(({ index }) => index === focused) ? `${id}-${focused}` : undefined
                }
                tabIndex={0}
                onKeyDown={onKeyDown}
                onFocus={onFocus}
                className={classes.table}
                style={{ ["--tracks" as string]: tracks }}
            >
                <div role="row" className={classes.head} aria-rowindex={1}>
                    {onSelect && (
                        <div role="columnheader" className={classes.cell}>
                            <Checkbox
                                aria-label={t("selectAll")}
                                checked={all}
                                indeterminate={!all && (selected?.size ?? 0) > 0}
                                onChange={all ? select.none : select.all}
                            />
                        </div>
                    )}
                    {columns.map((column) => (
                        <div
                            role="columnheader"
                            key={column.id}
                            className={classes.cell}
                            data-align={column.align}
                        >
                            {column.title}
                        </div>
                    ))}
                </div>
                {state.isPending ? (
                    <Waiting rows={12} height={rowHeight} />
                ) : (
                    <div
                        style={{ height: virtual.getTotalSize(), position: "relative" }}
                        role="presentation"
                    >
                        {items.map((item) => {
                            const row = rows[item.index]!;
                            const key = rowKey(row);
                            return (
                                <TableRow
                                    key={key}
                                    id={`${id}-${item.index}`}
                                    row={row}
                                    index={item.index}
                                    top={item.start}
                                    height={rowHeight}
                                    columns={columns}
                                    focused={focused === item.index}
                                    current={props.current === key}
                                    selected={selected?.has(key) ?? false}
                                    onSelect={onSelect && toggle}
                                    onOpen={onOpen && openRow}
                                />
                            );
                        })}
                    </div>
                )}
            </div>
            <div className={classes.foot} role="status">
                {isFetchingNextPage && t("loadingMore")}
                {!state.isPending && !hasNextPage && t("end", { count: rows.length })}
            </div>
            {!state.isPending && !hasNextPage && props.below}
        </div>
    );
}

function Waiting({ rows, height }: { rows: number; height: number }) {
    return (
        <div aria-hidden>
            {Array.from({ length: rows }, (_, index) => (
                <div key={index} className={classes.waiting} style={{ height }}>
                    <Skeleton height={10} width={`${35 + ((index * 37) % 55)}%`} />
                </div>
            ))}
        </div>
    );
}
