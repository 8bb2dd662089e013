import { useRef } from "react";
import { extended, flip, type Keys, span } from "./select";

interface Options<T> {
    rows: readonly T[];
    rowKey: (row: T) => string;
    selected: Keys | undefined;
    onSelect: ((selected: Keys) => void) | undefined;
}

/** One row by a click, a span of them with Shift, all that are shown, none. */
export function useSelecting<T>({ rows, rowKey, selected, onSelect }: Options<T>) {
    // By its key: new rows move the others.
    const anchor = useRef<string | undefined>(undefined);
    const end = useRef<string | undefined>(undefined);
    const toggle = (index: number, spans = false) => {
        const key = rowKey(rows[index]!);
        end.current = key;
        if (spans) {
            onSelect?.(span(selected, rows.map(rowKey), anchor.current, key));
            anchor.current ??= key;
            return;
        }
        anchor.current = key;
        onSelect?.(flip(selected, key));
    };
    /** The keyboard goes with Shift from one row to another: the span begins where Shift did. */
    const extend = (from: number, to: number) => {
        const [left, reached] = [rowKey(rows[from]!), rowKey(rows[to]!)];
        if (end.current !== left || anchor.current === undefined) anchor.current = left;
        end.current = reached;
        onSelect?.(extended(selected, rows.map(rowKey), anchor.current, left, reached));
    };
    const all = () => onSelect?.(new Set(rows.map(rowKey)));
    const none = () => {
        anchor.current = undefined;
        onSelect?.(new Set());
    };
    return { toggle, extend, all, none };
}
