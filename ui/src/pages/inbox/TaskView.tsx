import { Alert, Button, Divider, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { JsonViewer } from "@/components/json/JsonViewer";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { ApiError, request } from "@/data/api";
import { useShortcuts } from "@/data/keys";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { type Ask, AskDialog } from "./AskDialog";
import type { Task } from "./data";
import classes from "./InboxPage.module.css";
import { TaskForm } from "./TaskForm";
import { inboxWords } from "./words";

function useDecide(task: Task) {
    const t = useWords(inboxWords);
    const path = `/v1/tasks/${task.id}`;
    const act = (action: string, done: string) => ({
        run: (body: object) => request<Task>("POST", `${path}/${action}`, body),
        done,
        changes: [["tasks"]],
    });
    return {
        approve: useAct(act("approve", t("approved"))),
        reject: useAct(act("reject", t("rejected"))),
        claim: useAct(act("claim", "")),
        unclaim: useAct(act("unclaim", "")),
        delegate: useAct({
            ...act("delegate", ""),
            done: (_: Task, body: object) => t("delegated", { to: (body as { to: string }).to }),
        }),
    };
}

function Facts({ task }: { task: Task }) {
    const t = useWords(inboxWords);
    const row = (label: string, value: ReactNode) => (
        <Text size="xs" c="dimmed" component="div">
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
            {row(
                t("run"),
                <Link to={`/runs/${task.run_id}` as "/runs"}>{task.run_id.slice(-8)}</Link>,
            )}
            {task.subject && row(t("subject"), task.subject)}
            {task.due_at && row(t("due"), <Time at={task.due_at} form="ago" />)}
            {task.approvals_needed > 1 &&
                row(
                    t("votesOf", { names: task.approvers.join(", ") }),
                    t("votes", { given: task.approved_by.length, needed: task.approvals_needed }),
                )}
        </Group>
    );
}

/** One task: what is decided on, and the buttons that decide it. */
export function TaskView({ task }: { task: Task }) {
    const t = useWords(inboxWords);
    const may = useMay("tasks:write");
    const [edited, setEdited] = useState<unknown>();
    const [ask, setAsk] = useState<Ask>();
    const decide = useDecide(task);
    const open = task.state === "open";
    const can = open && may;
    const busy = Object.values(decide).some((one) => one.isPending);
    const failed = decide.approve.error ?? decide.reject.error;
    const late = failed instanceof ApiError && failed.status === 409;
    const approve = () => decide.approve.mutate(edited === undefined ? {} : { data: edited });
    useShortcuts(t("keys"), [
        { keys: "a", label: t("approve"), run: () => can && approve() },
        { keys: "mod+Enter", label: t("approve"), run: () => can && approve(), typing: true },
        { keys: "r", label: t("reject"), run: () => can && setAsk("reject") },
        { keys: "d", label: t("delegate"), run: () => can && setAsk("delegate") },
        { keys: "c", label: t("claim"), run: () => can && decide.claim.mutate({}) },
    ]);
    return (
        <Stack gap="sm" className={classes.task ?? ""}>
            <Group gap="xs">
                <Title order={2}>{task.title}</Title>
                <StatusBadge status={task.state} />
            </Group>
            <Facts task={task} />
            {task.description && <Text className={classes.words ?? ""}>{task.description}</Text>}
            {(late || (!open && task.decided_by)) && (
                <Alert color="blue" variant="light">
                    {t("gone", { by: task.decided_by ?? "", state: task.state })}
                    {task.reason && `: ${task.reason}`}
                </Alert>
            )}
            {task.claimed_by && open && (
                <Text size="sm" c="dimmed">
                    {t("claimedBy", { name: task.claimed_by })}
                </Text>
            )}
            <Divider label={t("draft")} labelPosition="left" />
            {can ? (
                <TaskForm
                    form={task.form}
                    data={edited === undefined ? task.data : edited}
                    label={t("draft")}
                    onChange={setEdited}
                />
            ) : (
                <JsonViewer value={task.data} name={`task-${task.id}.json`} />
            )}
            {edited !== undefined && (
                <div>
                    <Text size="xs" c="dimmed">
                        {t("before")}
                    </Text>
                    <JsonViewer value={task.data} name="before.json" />
                </div>
            )}
            {can && (
                <Group gap="xs" className={classes.actions ?? ""}>
                    <Button color="teal.9" loading={busy} onClick={approve}>
                        {edited === undefined ? t("approve") : t("approveEdited")}
                    </Button>
                    <Button variant="outline" color="red.9" onClick={() => setAsk("reject")}>
                        {t("reject")}
                    </Button>
                    <Button variant="default" onClick={() => setAsk("delegate")}>
                        {t("delegate")}
                    </Button>
                    <Button
                        variant="default"
                        onClick={() => (task.claimed_by ? decide.unclaim : decide.claim).mutate({})}
                    >
                        {task.claimed_by ? t("unclaim") : t("claim")}
                    </Button>
                </Group>
            )}
            {task.audit && task.audit.length > 0 && (
                <>
                    <Divider label={t("audit")} labelPosition="left" />
                    {task.audit.map((one) => (
                        <Text key={`${one.at} ${one.action}`} size="xs" c="dimmed">
                            <Time at={one.at} form="ago" /> · {one.action} · {one.by}
                            {one.reason && ` · ${one.reason}`}
                        </Text>
                    ))}
                </>
            )}
            {ask && (
                <AskDialog
                    what={ask}
                    onClose={() => setAsk(undefined)}
                    onSay={(text) => {
                        if (ask === "reject") decide.reject.mutate({ reason: text });
                        else decide.delegate.mutate({ to: text });
                        setAsk(undefined);
                    }}
                />
            )}
        </Stack>
    );
}
