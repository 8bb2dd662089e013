import { ActionIcon, Button, Menu } from "@mantine/core";
import {
    IconArrowsLeftRight,
    IconDots,
    IconPlayerPause,
    IconPlayerPlay,
    IconPlayerSkipForward,
    IconReload,
    IconRotateClockwise,
    IconTestPipe,
    IconWaveSine,
    IconX,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { Hint } from "@/components/Hint";
import { download } from "@/components/json/JsonViewer";
import { useActions } from "@/data/actions";
import { useShortcuts } from "@/data/keys";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { isOpen, type Log, type Run } from "../model";
import { asTestCase } from "../testCase";
import { runWords } from "../words";
import type { Ask } from "./Dialogs";
import { useRunActs } from "./useRunActs";

interface Props {
    run: Run;
    paused: boolean;
    log: Log;
    ask: (ask: Ask) => void;
}

/** The buttons of a run: what it can do now, and the rest in a menu. */
export function RunActions({ run, paused, log, ask }: Props) {
    const t = useWords(runWords);
    const may = useMay("runs:write");
    const acts = useRunActs(run);
    const open = isOpen(run);
    const again = run.status === "failed" || run.status === "cancelled";
    const rerun = () => ask({ kind: "rerun" });
    const navigate = useNavigate();
    const compare = () =>
        void navigate({ to: "/runs/$id/compare", params: { id: run.id }, search: {} });
    const exportTest = () =>
        download(`${run.workflow}.test.yaml`, asTestCase(run, log), "text/yaml");
    useShortcuts(t("runs"), [
        ...(may && open
            ? [{ keys: "c", label: t("cancel"), run: () => ask({ kind: "cancel" }) }]
            : []),
        ...(may && !open ? [{ keys: "r", label: t("rerun"), run: rerun }] : []),
        { keys: "e", label: t("exportTest"), run: exportTest },
        { keys: "=", label: t("compare"), run: compare },
    ]);
    const signal = () => ask({ kind: "signal", name: "" });
    // What only the menu shows, and no key is for.
    useActions([
        may && open && { label: t("signal"), run: signal },
        may && { label: t("startLike"), run: rerun },
    ]);
    return (
        <>
            {may && open && (
                <Button
                    variant="default"
                    leftSection={
                        paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />
                    }
                    loading={acts.pause.isPending || acts.resume.isPending}
                    onClick={() => (paused ? acts.resume.mutate() : acts.pause.mutate())}
                >
                    {paused ? t("resume") : t("pause")}
                </Button>
            )}
            {may && again && !run.retried_as && (
                <Hint label={t("retryHelp")}>
                    <Button
                        variant="default"
                        leftSection={<IconReload size={14} />}
                        loading={acts.retry.isPending}
                        onClick={() => acts.retry.mutate()}
                    >
                        {t("retry")}
                    </Button>
                </Hint>
            )}
            {may && !open && (
                <Button
                    variant="default"
                    leftSection={<IconRotateClockwise size={14} />}
                    onClick={rerun}
                >
                    {t("rerun")}
                </Button>
            )}
            {may && open && (
                <Button
                    variant="light"
                    color="red"
                    leftSection={<IconX size={14} />}
                    onClick={() => ask({ kind: "cancel" })}
                >
                    {t("cancel")}
                </Button>
            )}
            <CopyMenu
                curl={`/v1/runs/${run.id}`}
                cli={`runs show ${run.id}`}
                sql={`select * from workflow_executions where id = '${run.id}';`}
            />
            <Menu position="bottom-end">
                <Menu.Target>
                    <ActionIcon variant="default" size={30} aria-label={t("more")}>
                        <IconDots size={15} />
                    </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                    {may && open && (
                        <Menu.Item leftSection={<IconWaveSine size={14} />} onClick={signal}>
                            {t("signal")}
                        </Menu.Item>
                    )}
                    {may && (
                        <Menu.Item
                            leftSection={<IconPlayerSkipForward size={14} />}
                            onClick={rerun}
                        >
                            {t("startLike")}
                        </Menu.Item>
                    )}
                    <Menu.Item leftSection={<IconArrowsLeftRight size={14} />} onClick={compare}>
                        {t("compare")}
                    </Menu.Item>
                    <Menu.Item leftSection={<IconTestPipe size={14} />} onClick={exportTest}>
                        {t("exportTest")}
                    </Menu.Item>
                </Menu.Dropdown>
            </Menu>
        </>
    );
}
