import { useLingui } from "@lingui/react";
import { Badge, Button, Progress, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorView } from "@/components/ErrorView";
import { JsonViewer } from "@/components/json/JsonViewer";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { cronInWords } from "@/pages/operations/cron";
import { useWords } from "@/words";
import { Said } from "@/words/said";
import classes from "./Triggers.module.css";
import { triggerWords } from "./words";

type Schedule = Schemas["Schedule"];
type Job = Schemas["Job"];

/** The clocks of a workflow; an audience says whom it would start, and how far it is. */
export function Schedules({ name }: { name: string }) {
    const t = useWords(triggerWords);
    const { data, isError, error, refetch } = useQuery({
        queryKey: ["schedules", name],
        refetchInterval: 5000,
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/schedules", {
                    params: { query: { workflow: name, limit: 100 } },
                    signal,
                }),
            ),
    });
    const schedules = (data?.data ?? []) as Schedule[];
    return (
        <section className={classes.part}>
            <Title order={2}>{t("schedules")}</Title>
            {isError && <ErrorView error={error} retry={refetch} />}
            {schedules.map((one) => (
                <ScheduleRow key={one.id} one={one} />
            ))}
            {schedules.some((one) => one.audience) && <AudienceJobs schedules={schedules} />}
        </section>
    );
}

function ScheduleRow({ one }: { one: Schedule }) {
    const t = useWords(triggerWords);
    const { i18n } = useLingui();
    const mayRun = useMay("runs:write");
    const mayWrite = useMay("workflows:write");
    const [shown, setShown] = useState<Schemas["AudiencePreview"]>();
    const params = { path: { id: one.id } } as never;
    const changes = [["schedules"], ["jobs"]];
    const preview = useAct({
        run: () => call(api.POST("/v1/schedules/{id}/preview", { params, body: {} as never })),
        onDone: (answer) => setShown(answer as Schemas["AudiencePreview"]),
    });
    const fire = useAct({
        run: () => call(api.POST("/v1/schedules/{id}/trigger", { params, body: {} as never })),
        done: t("firedNow"),
        changes,
    });
    const paused = one.status === "paused";
    const hold = useAct({
        run: () =>
            call(
                paused
                    ? api.POST("/v1/schedules/{id}/resume", { params })
                    : api.POST("/v1/schedules/{id}/pause", { params, body: {} }),
            ),
        done: paused ? t("resumed") : t("paused"),
        changes,
    });
    return (
        <div className={classes.rule} data-schedule={one.id}>
            <b title={one.cron}>{cronInWords(one.cron, i18n.locale)}</b>
            <code className={classes.quiet}>{one.cron}</code>
            <span className={classes.quiet}>{one.timezone}</span>
            <Badge variant="dot" color={one.status === "active" ? "teal" : "orange"}>
                <Said kind="status" word={one.status} />
            </Badge>
            {one.next_at && (
                <span className={classes.quiet}>
                    {t("next")} <Time at={one.next_at} form="ago" />
                </span>
            )}
            <span className={`${classes.quiet} numbers`}>{t("fired", { count: one.fired })}</span>
            {one.audience && (
                <span>
                    {t("everyRow")} <code>{one.audience}</code>
                </span>
            )}
            <span className={classes.acts}>
                {one.audience && mayRun && (
                    <Button
                        variant="light"
                        loading={preview.isPending}
                        onClick={() => preview.mutate()}
                    >
                        {t("dryRun")}
                    </Button>
                )}
                {mayRun && (
                    <Button
                        variant="default"
                        loading={fire.isPending}
                        onClick={() => fire.mutate()}
                    >
                        {t("fire")}
                    </Button>
                )}
                {mayWrite && (
                    <Button
                        variant="default"
                        loading={hold.isPending}
                        onClick={() => hold.mutate()}
                    >
                        {paused ? t("resume") : t("pause")}
                    </Button>
                )}
            </span>
            {one.problem && <Text c="red">{one.problem}</Text>}
            {shown && (
                <div role="status">
                    <Text className="numbers">{t("preview", { count: shown.count })}</Text>
                    <JsonViewer value={shown.examples} name="audience.json" />
                </div>
            )}
        </div>
    );
}

/** How far the audiences are that were started. */
function AudienceJobs({ schedules }: { schedules: Schedule[] }) {
    const t = useWords(triggerWords);
    const known = new Set(schedules.map((one) => one.id));
    const { data } = useQuery({
        queryKey: ["jobs", "audiences", [...known]],
        refetchInterval: 2000,
        queryFn: ({ signal }) =>
            call(api.GET("/v1/jobs", { params: { query: { limit: 200 } }, signal })),
    });
    const jobs = ((data?.data ?? []) as Job[])
        .filter((job) => job.schedule !== undefined && known.has(job.schedule))
        .slice(0, 10);
    if (jobs.length === 0) return null;
    return (
        <>
            <Text fw={600} size="sm">
                {t("jobs")}
            </Text>
            {jobs.map((job) => {
                const said = t("jobProgress", { done: job.done + job.failed, total: job.total });
                const share = job.total > 0 ? ((job.done + job.failed) / job.total) * 100 : 0;
                return (
                    <div key={job.id} className={classes.rule} data-job={job.id}>
                        <Time at={job.created_at} form="ago" />
                        <Said kind="status" word={job.status} />
                        <Progress
                            w={160}
                            value={job.status === "done" ? 100 : share}
                            aria-label={said}
                        />
                        <span className="numbers">{said}</span>
                        {job.error && <Text c="red">{job.error}</Text>}
                    </div>
                );
            })}
        </>
    );
}
