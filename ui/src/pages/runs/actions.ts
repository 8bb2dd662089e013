/** What can be done to many runs at once. */
export const actions = ["cancel", "pause", "resume", "settle", "retry", "rerun"] as const;
export type Action = (typeof actions)[number];

const open = ["queued", "running", "waiting"];
const statusesOf: Record<Action, readonly string[]> = {
    cancel: open,
    pause: open,
    resume: open,
    settle: open,
    retry: ["failed", "cancelled"],
    rerun: ["completed", "failed", "cancelled"],
};

/** Whether an action can be done to a run in that status. */
export const fits = (action: Action, status: string) => statusesOf[action].includes(status);

/** Which of the statuses of a filter an action can be done to: those that it asks for, or all. */
export function fitting(action: Action, status: string | undefined): string[] {
    const asked = status?.split(",");
    return statusesOf[action].filter((one) => asked?.includes(one) ?? true);
}
