import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RunLink } from "@/components/RunLink";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useWords } from "@/words";
import type { Failing } from "./data";
import { failuresWords } from "./words";

const shown = 10;

/** The newest runs that failed by this error. */
export function GroupRuns({ group }: { group: Failing }) {
    const t = useWords(failuresWords);
    const { fingerprint } = group;
    const { data } = useQuery({
        queryKey: ["dead-letters", "runs", fingerprint],
        queryFn: ({ signal }) => {
            const params = { query: { fingerprint, limit: shown } };
            return call(api.GET("/v1/dead-letters", { params, signal }));
        },
    });
    const rows = (data?.data ?? []) as Schemas["DeadLetter"][];
    if (rows.length === 0) return null;
    return (
        <Stack gap={4} role="group" aria-label={t("itsRuns")}>
            <Text size="sm" fw={500}>
                {t("itsRuns")}
            </Text>
            {rows.map((one) => (
                <Text key={one.run_id} size="sm" component="div">
                    <RunLink id={one.run_id} /> · <Time at={one.at} form="ago" />
                </Text>
            ))}
            {group.count > rows.length && (
                <Text size="xs" c="dimmed">
                    {t("itsRunsMore", { count: group.count - rows.length })}
                </Text>
            )}
        </Stack>
    );
}
