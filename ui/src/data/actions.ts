import { useEffect, useRef } from "react";
import { create } from "zustand";

/** Something that can be done on this page and that no button shows at once, such as in a menu. */
export interface Action {
    label: string;
    run: () => void;
}

/** Of everything on screen that offers some; Ctrl+K shows them. */
export const useOffered = create<{ groups: Action[][] }>(() => ({ groups: [] }));

/** Offers actions while the component is on screen; `false` is not there for this person. */
export function useActions(given: (Action | false)[]): void {
    const actions = given.filter((one) => one !== false);
    const latest = useRef(actions);
    latest.current = actions;
    const shape = actions.map((one) => one.label).join("\n");
    // biome-ignore lint/correctness/useExhaustiveDependencies: shape stands for the actions
    useEffect(() => {
        const group = latest.current.map(({ label }, index) => ({
            label,
            run: () => latest.current[index]?.run(),
        }));
        useOffered.setState(({ groups }) => ({ groups: [...groups, group] }));
        return () =>
            useOffered.setState(({ groups }) => ({
                groups: groups.filter((one) => one !== group),
            }));
    }, [shape]);
}
