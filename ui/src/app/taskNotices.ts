import { useEffect, useRef } from "react";
import { create } from "zustand";

const kept = "pawl-task-notices";
const possible = typeof window !== "undefined" && "Notification" in window;

/** Whether this person wants the browser to say that a task is there. */
export const useNotices = create<{ wanted: boolean; possible: boolean }>(() => ({
    wanted: possible && Notification.permission === "granted" && localStorage.getItem(kept) === "1",
    possible,
}));

/** Asks the browser for leave, once; then it is a matter of this switch. */
export async function askForNotices(wanted: boolean): Promise<void> {
    const granted = wanted && (await Notification.requestPermission()) === "granted";
    localStorage.setItem(kept, granted ? "1" : "0");
    useNotices.setState({ wanted: granted });
}

/** Says it when tasks are there that were not there before. */
export function useTaskNotices(
    tasks: readonly { id: string; title: string }[] | undefined,
    open: (id: string) => void,
): void {
    const known = useRef<ReadonlySet<string>>(undefined);
    const go = useRef(open);
    go.current = open;
    useEffect(() => {
        if (!tasks) return;
        const before = known.current;
        known.current = new Set(tasks.map((task) => task.id));
        if (!before || !useNotices.getState().wanted || document.hasFocus()) return;
        for (const task of tasks.filter((one) => !before.has(one.id)).slice(0, 3)) {
            const notice = new Notification("Pawl", { body: task.title, tag: task.id });
            notice.onclick = () => {
                window.focus();
                go.current(task.id);
            };
        }
    }, [tasks]);
}
