import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { shellWord } from "@/components/command";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/DataTable";
import { flip, type Keys } from "@/components/table/select";
import { useIsNarrow } from "@/components/table/useFitting";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { useShortcuts } from "@/data/keys";
import { usePages } from "@/data/queries";
import { useMay, useSession } from "@/data/session";
import { useWords } from "@/words";
import { calledIn, type Task, useLiveTasks, useTask, type View, views } from "./data";
import { EmptyInbox } from "./EmptyInbox";
import { DueIn } from "./Facts";
import classes from "./InboxPage.module.css";
import { NoticeButton } from "./NoticeButton";
import { TaskSelection } from "./TaskSelection";
import { TaskView } from "./TaskView";
import { inboxWords } from "./words";

/** The command knows no due times, and one state at a time. */
function asCli(view: View, me: string): string | undefined {
    if (view === "overdue" || view === "decided") return undefined;
    return view === "mine" ? `tasks list --assignee ${shellWord(me)}` : "tasks list";
}

function useTasks(view: View, me: string) {
    const query = new URLSearchParams({ limit: "100" });
    query.set("state", view === "overdue" || view === "decided" ? view : "open");
    if (view === "mine") query.set("assignee", me);
    const pages = usePages<Task>({
        key: ["tasks", "list", view, me],
        fetch: (cursor) =>
            request(
                "GET",
                `/v1/tasks?${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
            ),
    });
    return { pages, path: `/v1/tasks?${query}` };
}

function useColumns(view: View): Column<Task>[] {
    const t = useWords(inboxWords);
    return [
        {
            id: "title",
            title: t("task"),
            width: "minmax(120px, 3fr)",
            cell: (task) => (
                <span className={classes.title} title={task.title}>
                    {task.title}
                </span>
            ),
        },
        {
            id: "subject",
            title: t("subject"),
            width: "minmax(80px, 1fr)",
            from: "lg",
            cell: (task) => task.subject ?? "",
        },
        {
            id: "who",
            title: t("assignee"),
            width: "minmax(70px, 1fr)",
            from: "lg",
            cell: (task) =>
                task.claimed_by
                    ? calledIn(task)(task.claimed_by)
                    : (task.assignee ?? task.group ?? ""),
        },
        view === "decided"
            ? {
                  id: "state",
                  title: t("decided"),
                  width: "110px",
                  cell: (task) => <StatusBadge status={task.state} />,
              }
            : {
                  id: "due",
                  title: t("due"),
                  width: "110px",
                  cell: (task) =>
                      task.due_at ? <DueIn task={task} /> : <Time at={task.opened_at} form="ago" />,
              },
    ];
}

/** The task that is looked at, wherever it stands in the list. */
function Beside({ open, onBack }: { open: string | undefined; onBack: () => void }) {
    const t = useWords(inboxWords);
    const shown = useTask(open);
    if (!open) {
        return (
            <Text c="dimmed" p="md">
                {t("pick")}
            </Text>
        );
    }
    const gone = shown.error instanceof ApiError && shown.error.status === 404;
    return (
        <>
            <Button className={classes.back ?? ""} variant="subtle" onClick={onBack}>
                ← {t("back")}
            </Button>
            {shown.isPending && <Loading />}
            {gone && <Text p="md">{t("notThere")}</Text>}
            {shown.isError && !gone && <ErrorView error={shown.error} retry={shown.refetch} />}
            {shown.data && <TaskView key={shown.data.id} task={shown.data} />}
        </>
    );
}

/** What waits for a person: the list, and beside it the task that is looked at. */
export function InboxPage() {
    const t = useWords(inboxWords);
    const navigate = useNavigate();
    const { view: wanted = "team", task: open } = useSearch({ from: "/shell/inbox" });
    const view = (views as readonly string[]).includes(wanted) ? (wanted as View) : "team";
    const me = useSession((state) => state.session?.subject) ?? "";
    const may = useMay("tasks:write");
    const [selected, setSelected] = useState<Keys>(new Set());
    const { pages, path } = useTasks(view, me);
    const columns = useColumns(view);
    const narrow = useIsNarrow();
    const { rows } = pages;
    useLiveTasks(rows);
    const go = (task?: string) =>
        navigate({
            to: ".",
            search: { ...(view === "team" ? {} : { view }), ...(task ? { task } : {}) },
            replace: true,
        });
    const step = (by: number) => () => {
        const at = rows.findIndex((task) => task.id === open);
        const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
        if (next) void go(next.id);
    };
    const selects = may && view !== "decided";
    const takeOpen = () => open && setSelected(flip(selected, open));
    useShortcuts(t("keys"), [
        { keys: "j", label: t("next"), run: step(1) },
        { keys: "k", label: t("previous"), run: step(-1) },
        ...(selects && open ? [{ keys: "x", label: t("select"), run: takeOpen }] : []),
    ]);
    return (
        <Page
            title={t("title")}
            filled
            actions={
                <>
                    <NoticeButton />
                    <CopyMenu curl={path} cli={asCli(view, me)} />
                </>
            }
            bar={
                <Group gap="sm">
                    <SegmentedControl
                        aria-label={t("title")}
                        value={view}
                        onChange={(value) => {
                            setSelected(new Set());
                            void navigate({
                                to: ".",
                                search: value === "team" ? {} : { view: value },
                            });
                        }}
                        data={views.map((value) => ({ value, label: t(value) }))}
                    />
                </Group>
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
                        ownKeys
                        {...(narrow ? { rowHeight: 54 } : {})}
                        onOpen={(task) => void go(task.id)}
                        {...(selects ? { selected, onSelect: setSelected } : {})}
                        columns={columns}
                        empty={<EmptyInbox decided={view === "decided"} />}
                    />
                    {selects && (
                        <TaskSelection
                            tasks={rows.filter((task) => selected.has(task.id))}
                            clear={() => setSelected(new Set())}
                        />
                    )}
                </div>
                {(open || rows.length > 0) && (
                    <aside className={classes.beside} aria-label={t("task")}>
                        <Beside open={open} onBack={() => void go()} />
                    </aside>
                )}
            </div>
        </Page>
    );
}
