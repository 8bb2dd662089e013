import { Alert, Button, Divider, Drawer, Group, Stack, Text, Textarea } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { actor } from "@/components/actor";
import { IdText } from "@/components/IdText";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { JobProgress } from "@/pages/runs/JobProgress";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Failing } from "./data";
import classes from "./Failures.module.css";
import { GroupRuns } from "./GroupRuns";
import { ReplayForm } from "./ReplayForm";
import { Sparkline } from "./Sparkline";
import { failuresWords } from "./words";

/** Why the error is muted, or the field that mutes it. */
function Mute({ group }: { group: Failing }) {
    const t = useWords(failuresWords);
    const may = useMay("runs:write");
    const common = useWords(commonWords);
    const [reason, setReason] = useState("");
    const path = `/v1/dead-letters/groups/${group.fingerprint}/mute`;
    const changes = [["dead-letters"], ["overview"]];
    const mute = useAct({
        run: () => request("PUT", path, { reason: reason.trim() }),
        done: t("mutedNow"),
        changes,
    });
    const unmute = useAct({ run: () => request("DELETE", path), done: t("unmutedNow"), changes });
    if (group.muted) {
        return (
            <Alert
                variant="light"
                title={t("mutedBy", { by: actor(group.muted.by, group.muted.by_name) })}
            >
                <Text className={classes.message ?? ""}>{group.muted.reason}</Text>
                <Group justify="space-between" mt="xs">
                    <Text size="xs" c="dimmed" component="div">
                        <Time at={group.muted.at} form="ago" />
                    </Text>
                    {may && (
                        <Button
                            variant="default"
                            loading={unmute.isPending}
                            onClick={() => unmute.mutate()}
                        >
                            {t("unmute")}
                        </Button>
                    )}
                </Group>
            </Alert>
        );
    }
    return (
        <Stack gap="xs">
            <Textarea
                label={t("muteWhy")}
                description={`${t("muteHelp")} ${common("reasonHelp")}`}
                maxLength={2000}
                autosize
                minRows={1}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Group justify="flex-end">
                <Button
                    variant="default"
                    disabled={reason.trim() === ""}
                    loading={mute.isPending}
                    onClick={() => mute.mutate()}
                >
                    {t("mute")}
                </Button>
            </Group>
        </Stack>
    );
}

/** One error: an example, when it came, and what can be done about all of its runs. */
export function GroupView({ group, onClose }: { group: Failing | undefined; onClose: () => void }) {
    const t = useWords(failuresWords);
    const may = useMay("runs:write");
    const navigate = useNavigate();
    const { job } = useSearch({ from: "/shell/failures" });
    const setJob = (id?: string) =>
        navigate({
            to: ".",
            search: ({ job: _, ...old }) => ({ ...old, ...(id ? { job: id } : {}) }),
            replace: true,
        });
    return (
        <Drawer
            opened
            onClose={onClose}
            position="right"
            size="lg"
            title={group ? `${group.workflow}${group.step ? ` · ${group.step}` : ""}` : t("replay")}
        >
            <Stack gap="md">
                {group && (
                    <>
                        <Text className={`mono ${classes.message}`}>{group.message}</Text>
                        <Group gap="lg">
                            <Sparkline
                                pulse={group.pulse}
                                label={t("pulse", {
                                    count: group.pulse.reduce((sum, one) => sum + one, 0),
                                })}
                            />
                            <Text size="xs" c="dimmed" component="div">
                                {t("first")}: <Time at={group.first_at} form="ago" /> · {t("last")}:{" "}
                                <Time at={group.last_at} form="ago" />
                            </Text>
                        </Group>
                        <Group gap="md" fz="sm">
                            <Link to="/runs/$id" params={{ id: group.sample_run_id }}>
                                {t("example")}
                            </Link>
                            <Link
                                to="/runs"
                                search={{ status: "failed", workflow: group.workflow }}
                            >
                                {t("allRuns")}
                            </Link>
                            <IdText id={group.fingerprint} />
                        </Group>
                        <GroupRuns group={group} />
                    </>
                )}
                {job && (
                    <>
                        <Divider label={t("replay")} labelPosition="left" />
                        <JobProgress id={job} close={() => void setJob()} />
                    </>
                )}
                {group && may && !job && (
                    <>
                        <Divider label={t("replay")} labelPosition="left" />
                        <ReplayForm group={group} onJob={(id) => void setJob(id)} />
                    </>
                )}
                {group && !job && (may || group.muted) && (
                    <>
                        <Divider label={t("mute")} labelPosition="left" />
                        <Mute group={group} />
                    </>
                )}
                {!group && !job && <Text c="dimmed">{t("gone")}</Text>}
            </Stack>
        </Drawer>
    );
}
