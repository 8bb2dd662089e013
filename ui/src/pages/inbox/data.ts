import { useQuery } from "@tanstack/react-query";
import { request } from "@/data/api";

export interface Decision {
    at: string;
    action: string;
    by: string;
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
    claimed_by: string | null;
    due_at: string | null;
    opened_at: string;
    decided_at: string | null;
    decided_by: string | null;
    reason: string | null;
    audit?: Decision[];
}

export function useTask(id: string | undefined) {
    return useQuery({
        queryKey: ["tasks", id],
        enabled: id !== undefined,
        refetchInterval: 10_000,
        queryFn: () => request<Task>("GET", `/v1/tasks/${id}`),
    });
}

export const isOverdue = (task: Task, now: number) =>
    task.state === "open" && task.due_at !== null && Date.parse(task.due_at) < now;
