import { Alert, Button, Divider, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { BrokenFields, useBroken } from "@/builder/broken";
import { actor } from "@/components/actor";
import { JsonViewer } from "@/components/json/JsonViewer";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { Unsaved } from "@/components/Unsaved";
import { useShortcuts } from "@/data/keys";
import { useMay, useSession } from "@/data/session";
import { WrongPlaces } from "@/pages/workflows/input/places";
import { useWords } from "@/words";
import { type Ask, AskDialog } from "./AskDialog";
import { Changes } from "./Changes";
import { calledIn, type Task } from "./data";
import { Facts } from "./Facts";
import classes from "./InboxPage.module.css";
import { TaskForm } from "./TaskForm";
import { useDecide, useWrongPlaces } from "./useDecide";
import { inboxWords } from "./words";

function Audit({ task }: { task: Task }) {
    const t = useWords(inboxWords);
    if (!task.audit || task.audit.length === 0) return null;
    return (
        <>
            <Divider label={t("audit")} labelPosition="left" />
            {task.audit.map((one, index) => (
                <Text
                    key={`${one.at} ${one.action} ${String(index)}`}
                    size="xs"
                    c="dimmed"
                    component="div"
                    className={classes.words ?? ""}
                >
                    <Time at={one.at} form="ago" /> · {t(`did_${one.action}`)} ·{" "}
                    {actor(one.by, one.by_name)}
                    {one.reason && ` · ${one.reason}`}
                </Text>
            ))}
        </>
    );
}

/** Says that the task is decided, and by whom: also when this happened while it was looked at. */
function Decided({ task, edited }: { task: Task; edited: unknown }) {
    const t = useWords(inboxWords);
    const me = useSession((state) => state.session?.subject);
    if (task.state === "open") return null;
    const by = task.decided_by ?? "pawl";
    const said = t(by === me ? "mineDone" : "gone", { by: calledIn(task)(by), state: task.state });
    return (
        <Alert color="blue" variant="light" role="alert">
            {said}
            {task.reason && `: ${task.reason}`}
            {edited !== undefined && (
                <Stack gap={4} mt="xs">
                    <Text size="xs">{t("unsent")}</Text>
                    <JsonViewer value={edited} name={`task-${task.id}-edited.json`} />
                </Stack>
            )}
        </Alert>
    );
}

/** One task: what is decided on, and the buttons that decide it. */
export function TaskView({ task }: { task: Task }) {
    const t = useWords(inboxWords);
    const may = useMay("tasks:write");
    const me = useSession((state) => state.session?.subject) ?? "";
    const [edited, setEdited] = useState<unknown>();
    const [ask, setAsk] = useState<Ask>();
    const form = useRef<HTMLDivElement>(null);
    const given = edited === undefined ? task.data : edited;
    const { wrong, refused, changed, forget } = useWrongPlaces(task.form, given);
    const decide = useDecide(task, refused);
    useEffect(() => {
        const first = wrong.length > 0 && form.current?.querySelector("[data-wrong]");
        if (!first) return;
        first.scrollIntoView({ block: "center" });
        first.querySelector<HTMLElement>("[aria-invalid]")?.focus({ preventScroll: true });
    }, [wrong]);
    const { broken, report } = useBroken();
    // Another round is another form: what could not be read goes, too.
    const [round, setRound] = useState(0);
    const can = task.state === "open" && may;
    const busy = Object.values(decide).some((one) => one.isPending);
    const approve = () => {
        if (broken) return;
        forget();
        decide.approve.mutate(edited === undefined ? {} : { data: edited });
    };
    const now = (run: () => void) => () => !busy && run();
    const edit = () =>
        form.current
            ?.querySelector<HTMLElement>("textarea, input:not([type=checkbox]), [contenteditable]")
            ?.focus();
    // Keys that would do nothing are not offered.
    const keys = [
        { keys: "a", label: t("approve"), run: now(approve) },
        { keys: "mod+Enter", label: t("approve"), run: now(approve), typing: true },
        { keys: "e", label: t("edit"), run: edit },
        { keys: "r", label: t("reject"), run: now(() => setAsk("reject")) },
        { keys: "d", label: t("delegate"), run: now(() => setAsk("delegate")) },
        { keys: "c", label: t("claim"), run: now(() => decide.claim.mutate({})) },
    ];
    useShortcuts(t("keys"), can ? keys : []);
    const claimed = task.claimed_by !== null;
    return (
        <Stack gap="sm" className={classes.task ?? ""}>
            <Group gap="xs" wrap="nowrap" align="start">
                <Title order={2} className={classes.words ?? ""}>
                    {task.title}
                </Title>
                <StatusBadge status={task.state} />
            </Group>
            <Facts task={task} />
            {task.description && <Text className={classes.words ?? ""}>{task.description}</Text>}
            <Decided task={task} edited={edited} />
            {claimed && task.state === "open" && (
                <Alert color={task.claimed_by === me ? "teal" : "yellow"} variant="light" py={6}>
                    {task.claimed_by === me
                        ? t("claimedByYou")
                        : t("claimedBy", { name: calledIn(task)(task.claimed_by ?? "") })}
                </Alert>
            )}
            <Divider label={t("draft")} labelPosition="left" />
            {can ? (
                <div ref={form}>
                    <BrokenFields value={report}>
                        <WrongPlaces value={{ places: wrong, changed }}>
                            <TaskForm
                                key={round}
                                form={task.form}
                                given={task.data}
                                data={given}
                                label={t("draft")}
                                onChange={setEdited}
                            />
                        </WrongPlaces>
                    </BrokenFields>
                </div>
            ) : (
                <JsonViewer value={task.data} name={`task-${task.id}.json`} />
            )}
            {can && edited !== undefined && <Changes before={task.data} after={edited} />}
            {can && (
                <Group gap="xs" className={classes.actions ?? ""}>
                    <Button color="teal" loading={busy} disabled={broken} onClick={approve}>
                        {edited === undefined ? t("approve") : t("approveEdited")}
                    </Button>
                    {(edited !== undefined || broken) && (
                        <Button
                            variant="subtle"
                            onClick={() => {
                                setEdited(undefined);
                                forget();
                                setRound(round + 1);
                            }}
                        >
                            {t("undo")}
                        </Button>
                    )}
                    <Button variant="outline" color="red" onClick={() => setAsk("reject")}>
                        {t("reject")}
                    </Button>
                    <Button variant="default" onClick={() => setAsk("delegate")}>
                        {t("delegate")}
                    </Button>
                    <Button
                        variant="default"
                        onClick={() => (claimed ? decide.unclaim : decide.claim).mutate({})}
                    >
                        {claimed ? t("unclaim") : t("claim")}
                    </Button>
                </Group>
            )}
            <Audit task={task} />
            <Unsaved unsaved={() => can && (edited !== undefined || broken)} names={["task"]} />
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
