import { Stack } from "@mantine/core";
import type { JsonSchema } from "@/builder/handles";
import { JsonField } from "@/builder/JsonField";
import { SchemaField } from "@/builder/SchemaField";
import { isObject, membersOf } from "./members";

interface Props {
    form: unknown;
    /** What the task came with: it says which fields there are, whatever is typed. */
    given: unknown;
    data: unknown;
    label: string;
    onChange: (data: unknown) => void;
}

/** What a person decides on, as fields. */
export function TaskForm({ form, given, data, label, onChange }: Props) {
    const members = membersOf(form, given);
    if (!members) return <JsonField name={label} value={data ?? undefined} onChange={onChange} />;
    const values = isObject(data) ? data : {};
    const required = (isObject(form) ? (form as JsonSchema).required : undefined) ?? [];
    return (
        <Stack gap="sm">
            {members.map(([key, schema]) => (
                <SchemaField
                    key={key}
                    name={key}
                    schema={schema}
                    required={required.includes(key)}
                    value={values[key] ?? undefined}
                    values={[]}
                    onChange={(value) => {
                        const next = { ...values };
                        if (value === undefined) delete next[key];
                        else next[key] = value;
                        onChange(next);
                    }}
                />
            ))}
        </Stack>
    );
}
