import { useLingui } from "@lingui/react";
import { Alert, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { Deed } from "@/components/Deed";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Loading } from "@/components/Loading";
import { RunLink } from "@/components/RunLink";
import { FactList, SidePanel } from "@/components/SidePanel";
import { StatusBadge } from "@/components/StatusBadge";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { cronInWords, timeInZone } from "./cron";
import { BackfillDeed, FireDeed, StopBackfillDeed } from "./ScheduleDeeds";
import classes from "./SchedulePanel.module.css";
import { operationsWords } from "./words";

/** One schedule: its next five times in its own zone, its last runs, and what can be done. */
export function SchedulePanel({ id, close }: { id: number; close: () => void }) {
    const t = useWords(operationsWords);
    const { data, error } = useQuery({
        queryKey: ["schedules", id],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/schedules/{id}", { params: { path: { id } }, signal })),
        refetchInterval: 3_000,
    });
    return (
        <SidePanel
            title={data?.workflow ?? t("schedules")}
            close={close}
            actions={data && <Actions schedule={data} />}
        >
            {error && <ErrorView error={error} />}
            {!data && !error && <Loading />}
            {data && <Details schedule={data} />}
        </SidePanel>
    );
}

function Actions({ schedule }: { schedule: Schemas["Schedule"] }) {
    const t = useWords(operationsWords);
    const c = useWords(commonWords);
    const mayWrite = useMay("workflows:write");
    const mayStart = useMay("runs:write");
    const [reason, setReason] = useState("");
    const { id } = schedule;
    const path = { params: { path: { id } } };
    const changes = [["schedules"]];
    const body = reason.trim() === "" ? {} : { reason: reason.trim() };
    return (
        <>
            {mayStart && <FireDeed schedule={schedule} />}
            {mayWrite &&
                (schedule.paused_at ? (
                    <Deed
                        label={t("resume")}
                        icon={<IconPlayerPlay size={14} />}
                        says={t("resumeScheduleSays")}
                        copy={{
                            curl: `/v1/schedules/${id}/resume`,
                            method: "POST",
                            cli: `schedules resume ${id}`,
                        }}
                        run={() => call(api.POST("/v1/schedules/{id}/resume", path))}
                        done={t("scheduleResumed")}
                        changes={changes}
                    />
                ) : (
                    <Deed
                        label={t("pause")}
                        icon={<IconPlayerPause size={14} />}
                        says={t("pauseScheduleSays")}
                        copy={{
                            curl: `/v1/schedules/${id}/pause`,
                            method: "POST",
                            body,
                            cli: `schedules pause ${id}`,
                        }}
                        run={() => call(api.POST("/v1/schedules/{id}/pause", { ...path, body }))}
                        done={t("schedulePaused")}
                        changes={changes}
                    >
                        <TextInput
                            data-autofocus
                            label={c("reason")}
                            description={c("reasonHelp")}
                            maxLength={500}
                            value={reason}
                            onChange={(event) => setReason(event.currentTarget.value)}
                        />
                    </Deed>
                ))}
            {mayStart &&
                (schedule.backfill ? (
                    <StopBackfillDeed schedule={schedule} />
                ) : (
                    <BackfillDeed schedule={schedule} />
                ))}
            <CopyMenu curl={`/v1/schedules/${id}`} cli={`schedules show ${id}`} />
        </>
    );
}

function Details({ schedule }: { schedule: Schemas["Schedule"] }) {
    const t = useWords(operationsWords);
    const { i18n } = useLingui();
    const runs = (schedule.last_runs ?? []) as Schemas["Run"][];
    return (
        <Stack gap="sm">
            {schedule.problem && (
                <Alert color="red" variant="light" title={t("scheduleProblem")}>
                    {schedule.problem}
                </Alert>
            )}
            <Text fw={600}>{cronInWords(schedule.cron, i18n.locale)}</Text>
            <FactList
                facts={[
                    [t("status"), <StatusBadge key="status" status={schedule.status} />],
                    ["cron", <code key="cron">{schedule.cron}</code>],
                    [t("zone"), schedule.timezone],
                    ...(schedule.pause_reason
                        ? [[t("pausedBecause"), schedule.pause_reason] as [string, string]]
                        : []),
                    [t("overlap"), t(`overlap_${schedule.overlap}`)],
                    [t("catchUp"), schedule.catch_up],
                    [t("fired"), String(schedule.fired)],
                    [
                        t("leftOut"),
                        t("leftOutParts", { skipped: schedule.skipped, missed: schedule.missed }),
                    ],
                    ...(schedule.backfill
                        ? [
                              [
                                  t("backfill"),
                                  t("backfillAt", {
                                      at: timeInZone(
                                          schedule.backfill.next_at,
                                          schedule.timezone,
                                          i18n.locale,
                                      ),
                                  }),
                              ] as [string, string],
                          ]
                        : []),
                ]}
            />
            <Title order={3}>{t("nextFive")}</Title>
            <ol aria-label={t("nextFive")} className={`numbers ${classes.times}`}>
                {(schedule.upcoming ?? []).slice(0, 5).map((at) => (
                    <li key={at}>
                        <time dateTime={at}>{timeInZone(at, schedule.timezone, i18n.locale)}</time>
                    </li>
                ))}
            </ol>
            {runs.length > 0 && (
                <>
                    <Title order={3}>{t("lastRuns")}</Title>
                    {runs.map((run) => (
                        <Text key={run.id} size="xs">
                            <RunLink id={run.id} /> <StatusBadge status={run.status} quiet />{" "}
                            <Time at={run.created_at} form="ago" />
                        </Text>
                    ))}
                </>
            )}
            {schedule.input !== null && schedule.input !== undefined && (
                <>
                    <Title order={3}>{t("input")}</Title>
                    <JsonViewer value={schedule.input} name={`schedule-${schedule.id}`} />
                </>
            )}
        </Stack>
    );
}
