import { Button, Group, Radio, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { request } from "@/data/api";
import { parseExact } from "@/data/json";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Failing } from "./data";
import { failuresWords } from "./words";

function objectOf(text: string): Record<string, unknown> | undefined {
    try {
        const value = parseExact(text);
        if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
        return value as Record<string, unknown>;
    } catch {
        return undefined;
    }
}

/** Replays a whole group: as it is, with what was wrong in its input, or on the new version. */
export function ReplayForm({ group, onJob }: { group: Failing; onJob: (id: string) => void }) {
    const t = useWords(failuresWords);
    const [version, setVersion] = useState("same");
    const [fixing, setFixing] = useState(false);
    const [text, setText] = useState("{}");
    const data = objectOf(text);
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
            <Radio.Group label={t("onVersion")} value={version} onChange={setVersion}>
                <Stack gap={6} mt={4}>
                    <Radio size="xs" value="same" label={t("sameVersion")} />
                    <Radio
                        size="xs"
                        value="active"
                        label={t("activeVersion")}
                        description={t("activeVersionHelp")}
                    />
                </Stack>
            </Radio.Group>
            <Switch
                label={t("fixInput")}
                description={t("fixInputHelp")}
                checked={fixing}
                onChange={(event) => setFixing(event.currentTarget.checked)}
            />
            {fixing && (
                <CodeEditor
                    value={text}
                    language="json"
                    label={t("fixInput")}
                    minHeight={80}
                    onChange={setText}
                />
            )}
            {fixing && !data && (
                <Text c="red" size="xs" role="alert">
                    {t("mustBeObject")}
                </Text>
            )}
            <Group justify="flex-end">
                <Button
                    loading={replay.isPending}
                    disabled={fixing && !data}
                    onClick={() => replay.mutate()}
                >
                    {t("replayAll", { count: group.count })}
                </Button>
            </Group>
        </Stack>
    );
}
