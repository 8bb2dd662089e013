import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { keyOf, useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

interface Select {
    toggle: (index: number) => void;
    extend: (from: number, to: number) => void;
    all: () => void;
    none: () => void;
    /** Whether a row is selected. */
    any: boolean;
}

interface Options {
    /** What hears the keys once it has the focus. */
    grid: RefObject<HTMLElement | null>;
    /** j and k of the page mean something else. */
    taken: boolean;
    opens: boolean;
    count: number;
    open: (index: number) => void;
    show: (index: number) => void;
    select?: Select;
}

/**
 * j, k and the arrows walk rows, with Shift they select on the way; Enter opens one, x or Space
 * selects it, Ctrl+A all that are shown, Escape none; Tab goes into it.
 */
export function useRowKeys({ grid, taken, opens, count, open, show, select }: Options) {
    const t = useWords(commonWords);
    const [focused, setFocused] = useState(-1);
    const go = (index: number) => {
        const next = Math.max(0, Math.min(count - 1, index));
        setFocused(next);
        show(next);
        return next;
    };
    const here = focused >= 0 && focused < count;
    const extend = (by: number) => {
        const from = here ? focused : 0;
        select?.extend(from, go(here ? focused + by : 0));
    };
    // Also heard where the grid does not have the focus yet; from then on it has it.
    const from = (run: () => void) => () => {
        grid.current?.focus({ preventScroll: true });
        run();
    };
    // Only the grid itself hears these, in onKeyDown: elsewhere they mean what they always mean.
    const heardThere = { run: () => undefined, when: () => false };
    const offered = [
        { keys: "j", label: t("nextRow"), run: from(() => go(focused + 1)) },
        { keys: "k", label: t("previousRow"), run: from(() => go(focused - 1)) },
        ...(here && opens ? [{ keys: "Enter", label: t("openRow"), ...heardThere }] : []),
        ...(here && select
            ? [{ keys: "x", label: t("selectRow"), run: from(() => select.toggle(focused)) }]
            : []),
        ...(select
            ? [
                  { keys: "shift+ArrowDown", label: t("selectDown"), ...heardThere },
                  { keys: "shift+ArrowUp", label: t("selectUp"), ...heardThere },
                  { keys: "mod+a", label: t("selectAll"), ...heardThere },
              ]
            : []),
        ...(select?.any ? [{ keys: "Escape", label: t("selectNone"), ...heardThere }] : []),
    ];
    useShortcuts(t("rows"), taken || count === 0 ? [] : offered);
    const stepOf = (event: KeyboardEvent): (() => void) | undefined => {
        const { shiftKey } = event;
        const key = keyOf(event);
        if (event.altKey) return undefined;
        if (event.ctrlKey || event.metaKey) return key === "a" ? select?.all : undefined;
        if (taken && /^[jk]$/.test(key)) return undefined;
        if (key === "Escape") return select?.any ? select.none : undefined;
        const extending = shiftKey && select !== undefined;
        const steps: Record<string, () => void> = {
            j: () => go(focused + 1),
            ArrowDown: () => (extending ? extend(1) : go(focused + 1)),
            k: () => go(focused - 1),
            ArrowUp: () => (extending ? extend(-1) : go(focused - 1)),
            Home: () => (extending ? extend(-count) : go(0)),
            End: () => (extending ? extend(count) : go(count - 1)),
            Enter: () => here && open(focused),
            x: () => here && select?.toggle(focused),
            " ": () => here && select?.toggle(focused),
        };
        return steps[key];
    };
    const onKeyDown = (event: KeyboardEvent) => {
        if (event.target !== event.currentTarget || count === 0) return;
        const step = stepOf(event);
        if (!step) return;
        event.preventDefault();
        step();
    };
    // Who comes by Tab is at a row at once.
    const onFocus = ({ target, currentTarget }: FocusEvent) => {
        if (target === currentTarget && !here && target.matches(":focus-visible")) setFocused(0);
    };
    return { focused, setFocused, onKeyDown, onFocus };
}
