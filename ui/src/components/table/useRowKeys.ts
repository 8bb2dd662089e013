import { type KeyboardEvent, useState } from "react";

interface Options {
    count: number;
    open: (index: number) => void;
    show: (index: number) => void;
    toggle?: (index: number) => void;
}

/** j, k and the arrows walk rows, Enter opens one, x or Space selects it. */
export function useRowKeys({ count, open, show, toggle }: Options) {
    const [focused, setFocused] = useState(-1);
    const go = (index: number) => {
        const next = Math.max(0, Math.min(count - 1, index));
        setFocused(next);
        show(next);
    };
    const onKeyDown = (event: KeyboardEvent) => {
        if (event.target !== event.currentTarget || count === 0) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
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
    return { focused, setFocused, onKeyDown };
}
