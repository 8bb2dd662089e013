import { Stack } from "@mantine/core";
import type { JsonSchema } from "@/builder/handles";
import { JsonField } from "@/builder/JsonField";
import { SchemaField } from "@/builder/SchemaField";

interface Props {
    form: unknown;
    data: unknown;
    label: string;
    onChange: (data: unknown) => void;
}

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema of the answer; what it does not name is shown as what it is. */
function membersOf(form: unknown, data: unknown): [string, JsonSchema][] | null {
    const schema = isObject(form) ? (form as JsonSchema) : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    // The database keeps no order of members; that of the required ones is the author's.
    const rank = ([name]: [string, JsonSchema]) => {
        const at = required.indexOf(name);
        return at < 0 ? required.length : at;
    };
    const named = Object.entries(schema.properties ?? {}).sort((a, b) => rank(a) - rank(b));
    if (!isObject(data)) return named.length > 0 ? named : null;
    const rest = Object.entries(data)
        .filter(([key]) => !schema.properties?.[key])
        .map(([key, value]): [string, JsonSchema] => [
            key,
            isObject(value) || Array.isArray(value) ? {} : { type: typeof value },
        ]);
    return [...named, ...rest];
}

/** What a person decides on, as fields. */
export function TaskForm({ form, data, label, onChange }: Props) {
    const members = membersOf(form, data);
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
