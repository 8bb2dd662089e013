import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useId, useState } from "react";
import { BrokenFields, useBroken, useReport } from "@/builder/broken";
import { ValuesField } from "@/builder/fields/ValuesField";
import type { JsonSchema } from "@/builder/handles";
import { JsonField } from "@/builder/JsonField";
import { isObject, membersOf } from "@/pages/inbox/members";
import { useWords } from "@/words";
import { Members } from "./Member";
import { inputWords } from "./words";

interface Props {
    label: string;
    /** What the editor of JSON is called. */
    jsonLabel: string;
    /** What the workflow takes; nothing is known of it: a value has a name that one gives it. */
    schema: JsonSchema | undefined;
    /** What it begins with. */
    given: unknown;
    value: unknown;
    onChange: (value: unknown) => void;
}

const nothing: JsonSchema = {};

/** The input of a run: a field for each part that the workflow uses, or all of it as JSON. */
export function InputForm({ label, jsonLabel, schema, given, value, onChange }: Props) {
    const t = useWords(inputWords);
    const id = useId();
    const [asJson, setAsJson] = useState(false);
    // Which fields there are stays while they are filled in; what was written as JSON has some, too.
    const [before, setBefore] = useState(given);
    const { broken, report } = useBroken();
    useReport(broken);
    const inFields = isObject(value);
    const mode = asJson || !inFields ? "json" : "fields";
    const known = schema ?? nothing;
    const write = (next: unknown) => onChange(next ?? {});
    const turn = (next: string) => {
        setAsJson(next === "json");
        if (isObject(value)) setBefore({ ...(isObject(given) ? given : {}), ...value });
    };
    return (
        <Stack gap={6} role="group" aria-labelledby={id}>
            <Group justify="space-between">
                <Text id={id} size="sm" fw={500}>
                    {label}
                </Text>
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
                    onChange={turn}
                />
            </Group>
            <BrokenFields value={report}>
                {mode === "json" ? (
                    <JsonField name={jsonLabel} value={value} onChange={onChange} />
                ) : membersOf(known, before)?.length ? (
                    <Stack gap="sm">
                        <Members schema={known} given={before} value={value} onChange={onChange} />
                    </Stack>
                ) : (
                    <ValuesField label={t("free")} value={value} onChange={write} />
                )}
            </BrokenFields>
        </Stack>
    );
}
