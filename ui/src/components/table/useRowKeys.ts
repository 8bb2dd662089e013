import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

interface Options {
    /** What hears the keys once it has the focus. */
    grid: RefObject<HTMLElement | null>;
    /** j and k of the page mean something else. */
    taken: boolean;
    opens: boolean;
    count: number;
    open: (index: number) => void;
    show: (index: number) => void;
    toggle?: (index: number) => void;
}

/** j, k and the arrows walk rows, Enter opens one, x or Space selects it; Tab goes into it. */
export function useRowKeys({ grid, taken, opens, count, open, show, toggle }: Options) {
    const t = useWords(commonWords);
    const [focused, setFocused] = useState(-1);
    const go = (index: number) => {
        const next = Math.max(0, Math.min(count - 1, index));
        setFocused(next);
        show(next);
    };
    // Also heard where the grid does not have the focus yet; from then on it has it.
    const from = (run: () => void) => () => {
        grid.current?.focus({ preventScroll: true });
        run();
    };
    const here = focused >= 0 && focused < count;
    const offered = [
        { keys: "j", label: t("nextRow"), run: from(() => go(focused + 1)) },
        { keys: "k", label: t("previousRow"), run: from(() => go(focused - 1)) },
        ...(here && opens
            ? [{ keys: "Enter", label: t("openRow"), run: () => open(focused), when: () => false }]
            : []),
        ...(here && toggle
            ? [{ keys: "x", label: t("selectRow"), run: from(() => toggle(focused)) }]
            : []),
    ];
    useShortcuts(t("rows"), taken || count === 0 ? [] : offered);
    const onKeyDown = (event: KeyboardEvent) => {
        if (event.target !== event.currentTarget || count === 0) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (taken && (event.key === "j" || event.key === "k")) return;
        const steps: Record<string, () => void> = {
            j: () => go(focused + 1),
            ArrowDown: () => go(focused + 1),
            k: () => go(focused - 1),
            ArrowUp: () => go(focused - 1),
            Home: () => go(0),
            End: () => go(count - 1),
            Enter: () => focused >= 0 && open(focused),
            x: () => focused >= 0 && toggle?.(focused),
            " ": () => focused >= 0 && toggle?.(focused),
        };
        const step = steps[event.key];
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
