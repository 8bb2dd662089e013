import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { StatusBadge } from "@/components/StatusBadge";
import { Duration, Time } from "@/components/Time";
import { api, call } from "@/data/api";
import { shortId } from "@/data/ids";
import { useWords } from "@/words";
import type { Run } from "../model";
import { useRun } from "../useRun";
import classes from "./Compare.module.css";
import { compareWords } from "./words";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The newest other runs of the workflow. */
function useOthers(run: Run | undefined) {
    return useQuery({
        queryKey: ["runs", run?.id, "others"],
        enabled: run !== undefined,
        queryFn: async ({ signal }) => {
            const query = { workflow: run!.workflow, limit: 21 };
            const page = await call(api.GET("/v1/runs", { params: { query }, signal }));
            return ((page.data ?? []) as Run[]).filter((one) => one.id !== run!.id);
        },
    });
}

/** The runs that this one repeats, or that retry it: what a person compares it with first. */
function useRelated(run: Run | undefined) {
    const parent = run?.triggered_by === "call" ? undefined : run?.parent;
    const ids = [parent, run?.retried_as].filter((one) => typeof one === "string");
    const found = useQueries({
        queries: ids.map((id) => ({
            queryKey: ["runs", id],
            queryFn: ({ signal }: { signal: AbortSignal }) =>
                call(api.GET("/v1/runs/{id}", { params: { path: { id } }, signal })),
        })),
    });
    return found.flatMap((one) => (one.data ? [one.data as Run] : []));
}

/** Asks which run is compared with this one. */
export function Chooser({ id }: { id: string }) {
    const t = useWords(compareWords);
    const navigate = useNavigate();
    const { run } = useRun(id);
    const others = useOthers(run.data);
    const related = useRelated(run.data);
    const known = new Set(related.map((one) => one.id));
    const offered = [...related, ...(others.data ?? []).filter((one) => !known.has(one.id))];
    const [text, setText] = useState("");
    const [wrong, setWrong] = useState<"notId" | "sameRun">();
    const submit = (event: FormEvent) => {
        event.preventDefault();
        const wanted = text.trim().toLowerCase();
        if (!uuid.test(wanted)) return setWrong("notId");
        if (wanted === id) return setWrong("sameRun");
        void navigate({ to: ".", search: (old) => ({ ...old, with: wanted }) });
    };
    const error = run.error ?? others.error;
    if (error) return <ErrorView error={error} retry={() => void run.refetch()} />;
    if (!run.data || !others.data) return <Loading />;
    return (
        <Stack gap="md" maw={760}>
            <Title order={2}>{t("pick", { workflow: run.data.workflow })}</Title>
            <Text c="dimmed">{t("pickText")}</Text>
            <form onSubmit={submit}>
                <Group gap="xs" align="end">
                    <TextInput
                        label={t("otherId")}
                        value={text}
                        w={320}
                        maw="100%"
                        classNames={{ input: "mono" }}
                        error={wrong && t(wrong)}
                        onChange={(event) => {
                            setText(event.currentTarget.value);
                            setWrong(undefined);
                        }}
                    />
                    <Button type="submit" disabled={text.trim() === ""}>
                        {t("compare")}
                    </Button>
                </Group>
            </form>
            {offered.length === 0 && <Text>{t("none")}</Text>}
            <ul className={classes.others}>
                {offered.map((one) => (
                    <li key={one.id}>
                        <Link
                            to="/runs/$id/compare"
                            params={{ id }}
                            search={{ with: one.id }}
                            className={classes.other ?? ""}
                        >
                            <StatusBadge status={one.status} />
                            <span className="mono">{shortId(one.id)}</span>
                            <span className={`truncate ${classes.about}`}>
                                {known.has(one.id) && (
                                    <b>
                                        {t(
                                            one.id === run.data?.parent ? "repeated" : "retriedAs",
                                        )}{" "}
                                    </b>
                                )}
                                {one.subject ?? ""}
                            </span>
                            <span className={classes.when}>
                                <Duration from={one.created_at} to={one.closed_at} /> ·{" "}
                                <Time at={one.created_at} form="ago" />
                            </span>
                        </Link>
                    </li>
                ))}
            </ul>
        </Stack>
    );
}
