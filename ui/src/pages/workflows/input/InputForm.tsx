import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useId, useState } from "react";
import { BrokenFields, useBroken, useReport } from "@/builder/broken";
import type { JsonSchema } from "@/builder/handles";
import { JsonField } from "@/builder/JsonField";
import { isObject } from "@/pages/inbox/members";
import { useWords } from "@/words";
import { Members } from "./Member";
import { inputWords } from "./words";

interface Props {
    label: string;
    /** What the editor of JSON is called. */
    jsonLabel: string;
    /** What the workflow takes; nothing is known of it: it is written as JSON. */
    schema: JsonSchema | undefined;
    /** What it begins with. */
    given: unknown;
    value: unknown;
    onChange: (value: unknown) => void;
}

/** The input of a run: a field for each part that the workflow uses, or all of it as JSON. */
export function InputForm({ label, jsonLabel, schema, given, value, onChange }: Props) {
    const t = useWords(inputWords);
    const id = useId();
    const [asJson, setAsJson] = useState(false);
    const { broken, report } = useBroken();
    useReport(broken);
    const inFields = schema !== undefined && isObject(value);
    const mode = asJson || !inFields ? "json" : "fields";
    return (
        <Stack gap={6} role="group" aria-labelledby={id}>
            <Group justify="space-between">
                <Text id={id} size="sm" fw={500}>
                    {label}
                </Text>
                {schema && (
                    <SegmentedControl
                        size="xs"
                        aria-label={t("as")}
                        value={mode}
                        // What cannot be read would be lost.
                        disabled={broken || !inFields}
                        data={[
                            { value: "fields", label: t("fields") },
                            { value: "json", label: t("json") },
                        ]}
                        onChange={(next) => setAsJson(next === "json")}
                    />
                )}
            </Group>
            <BrokenFields value={report}>
                {mode === "fields" && schema ? (
                    <Stack gap="sm">
                        <Members {...{ schema, given, value, onChange }} />
                    </Stack>
                ) : (
                    <JsonField name={jsonLabel} value={value} onChange={onChange} />
                )}
            </BrokenFields>
        </Stack>
    );
}
