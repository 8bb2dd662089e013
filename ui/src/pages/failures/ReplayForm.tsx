import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { BrokenFields, useBroken } from "@/builder/broken";
import { Loading } from "@/components/Loading";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { isObject } from "@/pages/inbox/members";
import { InputForm } from "@/pages/workflows/input/InputForm";
import { partsOf } from "@/pages/workflows/input/schema";
import { useInputSchema } from "@/pages/workflows/input/useInputSchema";
import { useWords } from "@/words";
import type { Failing } from "./data";
import { type OnVersion, VersionChoice } from "./VersionChoice";
import { failuresWords } from "./words";

const nothing = {};

/** Replays a whole group: as it is, with what was wrong in its input, or on the new version. */
export function ReplayForm({ group, onJob }: { group: Failing; onJob: (id: string) => void }) {
    const t = useWords(failuresWords);
    const [version, setVersion] = useState<OnVersion>("same");
    const [fixing, setFixing] = useState(false);
    const [data, setData] = useState<unknown>(nothing);
    const { broken, report } = useBroken();
    const { schema, known } = useInputSchema(fixing ? group.workflow : null, undefined, true);
    const parts = useMemo(() => partsOf(schema), [schema]);
    const wrong = fixing && (broken || !known || !isObject(data));
    const replay = useAct({
        run: () =>
            request<{ id: string }>("POST", "/v1/dead-letters/replay", {
                fingerprint: group.fingerprint,
                workflow: group.workflow,
                ...(version === "active" ? { active_version: true } : {}),
                ...(fixing ? { data } : {}),
            }),
        changes: [["dead-letters"], ["runs"], ["jobs"]],
        onDone: (job) => onJob(job.id),
    });
    return (
        <Stack gap="sm">
            <Text>{t("replayHelp")}</Text>
            <VersionChoice value={version} onChange={setVersion} />
            <Switch
                label={t("fixInput")}
                description={t("fixInputHelp")}
                checked={fixing}
                onChange={(event) => setFixing(event.currentTarget.checked)}
            />
            {fixing && !known && <Loading />}
            {fixing && known && (
                <BrokenFields value={report}>
                    <InputForm
                        label={t("fixedInput")}
                        jsonLabel={t("fixedInput")}
                        schema={parts}
                        given={nothing}
                        value={data}
                        onChange={setData}
                    />
                </BrokenFields>
            )}
            {fixing && !broken && !isObject(data) && (
                <Text c="red" size="xs" role="alert">
                    {t("mustBeObject")}
                </Text>
            )}
            <Group justify="flex-end">
                <Button loading={replay.isPending} disabled={wrong} onClick={() => replay.mutate()}>
                    {t("replayAll", { count: group.count })}
                </Button>
            </Group>
        </Stack>
    );
}
