import { Input, Stack } from "@mantine/core";
import { useContext } from "react";
import { labelOf } from "@/builder/fields/kinds";
import type { JsonSchema } from "@/builder/handles";
import { SchemaField } from "@/builder/SchemaField";
import { isObject, membersOf } from "@/pages/inbox/members";
import { type Say, useWords } from "@/words";
import { usedBy } from "./inputSchema";
import { Marked, usePointer, WrongPlaces } from "./places";
import { fits, isTyped } from "./schema";
import { ValueField } from "./ValueField";
import { inputWords } from "./words";

const namedMax = 3;

function usersOf(schema: JsonSchema, t: Say<(typeof inputWords)["keys"][number]>): string {
    const steps = (schema[usedBy] ?? []) as string[];
    if (steps.length === 0) return "";
    const rest = steps.length - namedMax;
    const named = { steps: steps.slice(0, namedMax).join(", ") };
    return rest > 0 ? t("usedByMore", { ...named, count: rest }) : t("usedBy", named);
}

interface Props {
    name: string;
    schema: JsonSchema;
    required: boolean;
    /** What the input came with: it says which fields there are, whatever is typed. */
    given: unknown;
    value: unknown;
    onChange: (value: unknown) => void;
}

/** One part of an input, with what is wrong in it. */
function Member(props: Props) {
    const pointer = usePointer(props.name);
    const { changed } = useContext(WrongPlaces);
    const onChange = (next: unknown) => {
        changed(pointer);
        props.onChange(next);
    };
    return (
        <Marked pointer={pointer} group={isGroup(props)}>
            <MemberField {...props} onChange={onChange} />
        </Marked>
    );
}

const isGroup = ({ schema, value }: Pick<Props, "schema" | "value">) =>
    schema.properties !== undefined && (value === undefined || isObject(value));

/** As what it holds now, else as what the workflow says of it. */
function MemberField({ name, schema, required, given, value, onChange }: Props) {
    const t = useWords(inputWords);
    const shared = {
        label: schema.title ?? labelOf(name),
        description: [schema.description, usersOf(schema, t)].filter(Boolean).join(" · "),
        withAsterisk: required,
    };
    if (isGroup({ schema, value })) {
        return (
            <Input.Wrapper {...shared} labelElement="div">
                <Stack gap="sm" pl="sm" mt={4} role="group" aria-label={shared.label}>
                    <Members schema={schema} given={given} value={value} onChange={onChange} />
                </Stack>
            </Input.Wrapper>
        );
    }
    const fitting = isTyped(schema) && fits(schema, value);
    if (fitting || Array.isArray(value) || isObject(value)) {
        const described = { title: shared.label, description: shared.description };
        const kind = fitting ? { ...schema, ...described } : described;
        return <SchemaField {...{ name, required, value, onChange }} schema={kind} values />;
    }
    const examples = schema.examples ?? [];
    return <ValueField {...shared} examples={examples} value={value} onChange={onChange} />;
}

/** The parts of an input; what the schema does not name is shown as what it is. */
export function Members({
    schema,
    given,
    value,
    onChange,
}: Pick<Props, "schema" | "given" | "value" | "onChange">) {
    const values = isObject(value) ? value : {};
    const before = isObject(given) ? given : {};
    const own = (from: Record<string, unknown>, key: string) =>
        Object.hasOwn(from, key) ? from[key] : undefined;
    return membersOf(schema, given)?.map(([key, one]) => (
        <Member
            key={key}
            name={key}
            schema={one}
            required={schema.required?.includes(key) ?? false}
            given={own(before, key)}
            value={own(values, key)}
            onChange={(next) => {
                const { [key]: _, ...rest } = values;
                const changed = next === undefined ? rest : { ...values, [key]: next };
                onChange(changed);
            }}
        />
    ));
}
