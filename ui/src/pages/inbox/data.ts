import { useQuery } from "@tanstack/react-query";
import { actor } from "@/components/actor";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { useLive, useLiveEvents } from "@/data/live";
import { queryClient } from "@/data/queries";
import { touchesTasks } from "@/data/taskEvents";

export interface Decision {
    at: string;
    action:
        | "open"
        | "claim"
        | "unclaim"
        | "delegate"
        | "edit"
        | "approve"
        | "reject"
        | "remind"
        | "escalate"
        | "close";
    by: string;
    by_name?: string | null;
    reason: string | null;
    data?: unknown;
}

export interface Task {
    id: string;
    run_id: string;
    workflow: string;
    step: string;
    subject: string | null;
    state: "open" | "approved" | "rejected" | "timed_out" | "withdrawn";
    title: string;
    description: string | null;
    data: unknown;
    form: unknown;
    assignee: string | null;
    group: string | null;
    approvers: string[];
    approvals_needed: number;
    approved_by: string[];
    rejections_needed?: number;
    rejected_by?: string[];
    excluded?: string[];
    escalated_to?: string | null;
    claimed_by: string | null;
    due_at: string | null;
    opened_at: string;
    decided_at: string | null;
    decided_by: string | null;
    /** What the API keys that acted are called. */
    key_names?: Record<string, string> | null;
    reason: string | null;
    audit?: Decision[];
}

/** Who acted on a task, as people know them. */
export const calledIn = (task: Task) => (who: string) => actor(who, task.key_names?.[who]);

export const views = ["team", "mine", "overdue", "decided"] as const;
export type View = (typeof views)[number];

export function useTask(id: string | undefined) {
    return useQuery({
        queryKey: ["tasks", id],
        enabled: id !== undefined,
        refetchInterval: 5_000,
        retry: false,
        queryFn: () => request<Task>("GET", `/v1/tasks/${encodeURIComponent(id ?? "")}`),
    });
}

/** Reads tasks again when runs begin or end to wait; what is being typed stays. */
export function useLiveTasks(shown: readonly Task[]): void {
    const paused = useLive((state) => state.paused);
    useLiveEvents((events) => {
        if (!paused && touchesTasks(events, shown)) {
            void queryClient.invalidateQueries({ queryKey: ["tasks"] });
        }
    });
}

export const isOverdue = (task: Task, now: number) =>
    task.state === "open" && task.due_at !== null && Date.parse(task.due_at) < now;

/** A decision that came too late: another person has decided. What they did is read. */
export async function decided<T>(id: string, act: Promise<T>): Promise<T> {
    try {
        return await act;
    } catch (error) {
        if (error instanceof ApiError && error.status === 409) {
            await queryClient.invalidateQueries({ queryKey: ["tasks", id] });
            await queryClient.invalidateQueries({ queryKey: ["tasks", "list"] });
        }
        throw error;
    }
}
