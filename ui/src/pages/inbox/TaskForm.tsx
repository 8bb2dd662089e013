import { Stack } from "@mantine/core";
import { JsonField } from "@/builder/JsonField";
import { Members } from "@/pages/workflows/input/Member";
import { asFields } from "@/pages/workflows/input/schema";
import { membersOf } from "./members";

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
    const schema = asFields(form);
    if (!membersOf(schema, given)) {
        return <JsonField name={label} value={data ?? undefined} onChange={onChange} />;
    }
    return (
        <Stack gap="sm">
            <Members {...{ schema, given, value: data, onChange }} />
        </Stack>
    );
}
