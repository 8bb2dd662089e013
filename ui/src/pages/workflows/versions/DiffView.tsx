import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useMemo } from "react";
import type { Types } from "@/builder/types";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { api, call } from "@/data/api";
import { useWords } from "@/words";
import { type Diff, unionOf } from "../canvas/marks";
import { WorkflowGraph } from "../canvas/WorkflowGraph";
import type { Workflow } from "../data";
import { linesOf } from "./diffLines";
import classes from "./Versions.module.css";
import { versionWords } from "./words";

interface Props {
    name: string;
    before: Workflow;
    after: Workflow;
    types: Types;
}

const colors = {
    added: "var(--mantine-color-teal-6)",
    removed: "var(--mantine-color-red-6)",
    changed: "var(--mantine-color-yellow-6)",
};

/** What differs between two versions, drawn on the graph and as text. */
export function DiffView({ name, before, after, types }: Props) {
    const t = useWords(versionWords);
    const { data, isError, error, refetch } = useQuery({
        queryKey: ["workflows", name, "diff", before.version, after.version],
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: async ({ signal }) => {
            const query = { from: String(before.version), to: String(after.version) };
            const body = await call(
                api.GET("/v1/workflows/{name}/diff", { params: { path: { name }, query }, signal }),
            );
            return body.diff as unknown as Diff;
        },
    });
    const union = useMemo(
        () => data && unionOf(before.definition, after.definition, data),
        [data, before, after],
    );
    if (isError) return <ErrorView error={error} retry={refetch} />;
    if (!data || !union) return <Loading />;
    const parts = linesOf(data);
    if (parts.length === 0) return <Text c="dimmed">{t("same")}</Text>;
    return (
        <>
            <div className={classes.legend}>
                {(["added", "removed", "changed"] as const).map((kind) => (
                    <span key={kind} style={{ "--mark": colors[kind] } as CSSProperties}>
                        {t(kind)}
                    </span>
                ))}
            </div>
            <div className={classes.canvas}>
                <WorkflowGraph definition={union.definition} types={types} marks={union.marks} />
            </div>
            <div className={classes.text} aria-label={t("asText")} role="group">
                {parts.map((part) => (
                    <div key={part.title}>
                        <div className={classes.part}>
                            {part.title === "" ? t("settings") : part.title}
                        </div>
                        {part.lines.map((line, index) => (
                            <div
                                key={`${line.kind}${line.text}${index}`}
                                className={classes.change}
                                data-kind={line.kind}
                            >
                                {line.kind} {line.text}
                            </div>
                        ))}
                    </div>
                ))}
            </div>
        </>
    );
}
