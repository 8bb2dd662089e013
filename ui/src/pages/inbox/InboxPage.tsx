import { Button, SegmentedControl, Text } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { EmptyState } from "@/components/EmptyState";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { Time } from "@/components/Time";
import { DataTable } from "@/components/table/DataTable";
import { useNow } from "@/components/useNow";
import { request } from "@/data/api";
import { useAct, usePages } from "@/data/queries";
import { useMay, useSession } from "@/data/session";
import { useWords } from "@/words";
import { isOverdue, type Task, useTask } from "./data";
import classes from "./InboxPage.module.css";
import { TaskView } from "./TaskView";
import { inboxWords } from "./words";

const views = ["team", "mine", "overdue", "decided"] as const;
type View = (typeof views)[number];

/** What waits for a person: the list, and beside it the task that is looked at. */
export function InboxPage() {
    const t = useWords(inboxWords);
    const navigate = useNavigate();
    const { view: wanted = "team", task: open } = useSearch({ from: "/shell/inbox" });
    const view = (views as readonly string[]).includes(wanted) ? (wanted as View) : "team";
    const me = useSession((state) => state.session?.subject) ?? "";
    const may = useMay("tasks:write");
    const now = useNow(30_000);
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
    const query = new URLSearchParams({ limit: "100" });
    if (view !== "decided") query.set("state", "open");
    if (view === "mine") query.set("assignee", me);
    const pages = usePages<Task>({
        key: ["tasks", "list", view, me],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/tasks?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    const rows = pages.rows.filter((task) =>
        view === "overdue"
            ? isOverdue(task, now)
            : view === "decided"
              ? task.state !== "open"
              : true,
    );
    const shown = useTask(open);
    const go = (task?: string) =>
        navigate({
            to: ".",
            search: { ...(view === "team" ? {} : { view }), ...(task ? { task } : {}) },
            replace: true,
        });
    const approveAll = useAct({
        run: async (ids: string[]) => {
            for (const id of ids) await request("POST", `/v1/tasks/${id}/approve`, {});
            return ids.length;
        },
        done: (count) => t("approvedMany", { count }),
        changes: [["tasks"]],
        onDone: () => setSelected(new Set()),
    });
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    {may && selected.size > 0 && (
                        <Button
                            loading={approveAll.isPending}
                            onClick={() => approveAll.mutate([...selected])}
                        >
                            {t("selected", { count: selected.size })}
                        </Button>
                    )}
                    <CopyMenu curl={`/v1/tasks?${query}`} cli="tasks list" />
                </>
            }
            bar={
                <SegmentedControl
                    aria-label={t("title")}
                    value={view}
                    onChange={(value) =>
                        navigate({ to: ".", search: value === "team" ? {} : { view: value } })
                    }
                    data={views.map((value) => ({ value, label: t(value) }))}
                />
            }
        >
            <div className={classes.split} data-open={open || undefined}>
                <div className={classes.list}>
                    <DataTable
                        label={t("title")}
                        rows={rows}
                        state={pages}
                        rowKey={(task) => task.id}
                        current={open}
                        onOpen={(task) => go(task.id)}
                        {...(may ? { selected, onSelect: setSelected } : {})}
                        columns={[
                            {
                                id: "title",
                                title: t("task"),
                                width: "minmax(160px, 3fr)",
                                cell: (task: Task) => task.title,
                            },
                            {
                                id: "subject",
                                title: t("subject"),
                                width: "minmax(80px, 1fr)",
                                from: "lg",
                                cell: (task: Task) => task.subject ?? "",
                            },
                            {
                                id: "due",
                                title: t("due"),
                                width: "110px",
                                cell: (task: Task) =>
                                    task.due_at ? (
                                        <Text
                                            span
                                            size="sm"
                                            {...(isOverdue(task, now)
                                                ? { c: "red.9", fw: 600 }
                                                : {})}
                                        >
                                            <Time at={task.due_at} form="ago" />
                                        </Text>
                                    ) : (
                                        ""
                                    ),
                            },
                        ]}
                        empty={
                            <EmptyState
                                icon={IconInbox}
                                title={t("empty")}
                                text={t("emptyText")}
                                command="pawl run approval --data '{}'"
                            />
                        }
                    />
                </div>
                <aside className={classes.beside}>
                    {open && shown.isPending && <Loading />}
                    {shown.data && <TaskView key={shown.data.id} task={shown.data} />}
                    {!open && (
                        <Text c="dimmed" p="md">
                            {t("pick")}
                        </Text>
                    )}
                </aside>
            </div>
        </Page>
    );
}
