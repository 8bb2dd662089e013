import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { api, call } from "@/data/api";
import { LaneRow } from "./LaneRow";
import { lanesOf } from "./lanes";
import type { Scale } from "./scale";
import { useRunLog } from "./useRun";

interface Props {
    id: string;
    scale: Scale;
    depth: number;
}

/** The steps of a child run, on the clock of its parent. */
export function ChildLanes({ id, scale, depth }: Props) {
    const navigate = useNavigate();
    const { data: run } = useQuery({
        queryKey: ["runs", id],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/runs/{id}", { params: { path: { id } }, signal })),
    });
    const log = useRunLog(id, run);
    const lanes = useMemo(
        () => lanesOf(log.events, log.graph, log.steps, run?.status),
        [log, run?.status],
    );
    if (!log.ready) {
        return (
            <Text size="xs" c="dimmed" pl={40}>
                …
            </Text>
        );
    }
    return lanes.map((lane) => (
        <LaneRow
            key={lane.key}
            lane={lane}
            scale={scale}
            depth={depth}
            chosen={false}
            choose={() =>
                void navigate({ to: "/runs/$id", params: { id }, search: { step: lane.step } })
            }
        />
    ));
}
