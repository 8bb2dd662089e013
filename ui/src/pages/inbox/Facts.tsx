import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RunLink } from "@/components/RunLink";
import { Time } from "@/components/Time";
import { useNow } from "@/components/useNow";
import { duration } from "@/data/time";
import { useWords } from "@/words";
import { calledIn, isOverdue, type Task } from "./data";
import { inboxWords } from "./words";

/** How long there is still time, or since when there is none. */
export function DueIn({ task }: { task: Task }) {
    const t = useWords(inboxWords);
    const now = useNow(1000);
    if (!task.due_at) return null;
    const left = Date.parse(task.due_at) - now;
    if (task.state !== "open") return <Time at={task.due_at} />;
    const late = isOverdue(task, now);
    return (
        <Text
            span
            inherit
            className="numbers"
            {...(late ? { c: "red", fw: 600 } : left < 3_600_000 ? { fw: 600 } : {})}
        >
            {late ? t("late", { time: duration(-left) }) : t("left", { time: duration(left) })}
        </Text>
    );
}

/** Where a task comes from, and how far its decision is. */
export function Facts({ task }: { task: Task }) {
    const t = useWords(inboxWords);
    const row = (label: string, value: ReactNode) => (
        <Text size="xs" c="dimmed" component="div" className="linked">
            {label}: {value}
        </Text>
    );
    return (
        <Group gap="md">
            {row(
                t("workflow"),
                <Link to="/workflows/$name" params={{ name: task.workflow }} search={{}}>
                    {task.workflow}
                </Link>,
            )}
            {row(t("run"), <RunLink id={task.run_id} />)}
            {task.subject && row(t("subject"), task.subject)}
            {task.assignee && row(t("assignee"), task.assignee)}
            {task.group && row(t("group"), task.group)}
            {task.due_at && row(t("due"), <DueIn task={task} />)}
            {task.approvals_needed > 1 &&
                row(
                    t("votes", { given: task.approved_by.length, needed: task.approvals_needed }),
                    task.approved_by.map(calledIn(task)).join(", ") || "–",
                )}
            {(task.rejections_needed ?? 1) > 1 &&
                row(
                    t("against", {
                        given: task.rejected_by?.length ?? 0,
                        needed: task.rejections_needed ?? 1,
                    }),
                    task.rejected_by?.map(calledIn(task)).join(", ") || "–",
                )}
            {task.approvers.length > 0 && row(t("asked"), task.approvers.join(", "))}
            {task.escalated_to && row(t("escalated"), task.escalated_to)}
        </Group>
    );
}
