import { Input, Select, Switch, TagsInput, TextInput } from "@mantine/core";
import { useWords } from "@/words";
import type { JsonSchema } from "../handles";
import { JsonField } from "../JsonField";
import { SchemaField } from "../SchemaField";
import { builderWords } from "../words";
import {
    fieldsOf,
    freeName,
    type InputField,
    type InputKind,
    inputKinds,
    kindOfInput,
    schemaOf,
    withKind,
} from "./inputFields";
import { KeyInput } from "./KeyInput";
import { type Row, RowsField, withPart } from "./RowsField";
import { choicesOf } from "./values";

interface PartProps {
    field: InputField;
    taken: string[];
    write: (part: Partial<InputField>) => void;
}

/** Kinds whose fields can begin with a value. */
const defaulted = new Set<InputKind>(["text", "choice", "number", "integer", "boolean"]);

/** One part of the input: what it is called, what it is, and whether it must be there. */
function Part({ field, taken, write }: PartProps) {
    const t = useWords(builderWords);
    const { name, required, schema } = field;
    const kind = kindOfInput(schema);
    const choices = choicesOf(kind === "choice" ? (schema.enum ?? []) : []);
    const set = (part: Row) => write({ schema: withPart(schema, part) as JsonSchema });
    return (
        <>
            <KeyInput
                label={t("inputName")}
                value={name}
                taken={taken}
                onChange={(next) => write({ name: next })}
            />
            <Select
                label={t("inputKind")}
                data={inputKinds.map((one) => ({ value: one, label: t(`input_${one}`) }))}
                value={kind}
                allowDeselect={false}
                onChange={(next) => next && write({ schema: withKind(schema, next as InputKind) })}
            />
            {kind === "choice" && (
                <TagsInput
                    label={t("inputChoices")}
                    placeholder={t("tagsHelp")}
                    value={[...choices.keys()]}
                    // 5 stays a number while others are added.
                    onChange={(texts) =>
                        set({
                            enum: texts.map((one) => (choices.has(one) ? choices.get(one) : one)),
                        })
                    }
                />
            )}
            <TextInput
                label={t("inputTitle")}
                description={t("inputTitleHelp")}
                value={String(schema.title ?? "")}
                onChange={(event) => set({ title: event.currentTarget.value || undefined })}
            />
            <TextInput
                label={t("inputHelp")}
                value={String(schema.description ?? "")}
                onChange={(event) => set({ description: event.currentTarget.value || undefined })}
            />
            {defaulted.has(kind) && (
                <SchemaField
                    name="default"
                    schema={{ ...typeOf(schema), title: t("inputDefault") }}
                    required={false}
                    values
                    value={schema.default}
                    onChange={(value) => set({ default: value })}
                />
            )}
            {kind === "object" && (
                <InputSchemaField
                    label={t("inputParts")}
                    value={schema}
                    onChange={(next) => write({ schema: next ?? withKind(schema, "object") })}
                />
            )}
            {kind === "any" && (
                <Input.Wrapper label={t("inputSchema")}>
                    <JsonField
                        name={t("inputSchema")}
                        value={schema}
                        onChange={(next) => write({ schema: (next ?? {}) as JsonSchema })}
                    />
                </Input.Wrapper>
            )}
            <Switch
                label={t("inputRequired")}
                checked={required}
                onChange={(event) => write({ required: event.currentTarget.checked })}
            />
        </>
    );
}

/** What a default may be; what else the schema says is said elsewhere. */
const typeOf = ({ type, enum: choices, minimum, maximum }: JsonSchema): JsonSchema => ({
    ...(type === undefined ? {} : { type }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
});

interface Props {
    label: string;
    description?: string;
    value: unknown;
    /** undefined: nothing is said. */
    onChange: (schema: JsonSchema | undefined) => void;
}

/** The input that a workflow takes, a row for each part; what no row can say, as JSON. */
export function InputSchemaField({ label, description, value, onChange }: Props) {
    const fields = fieldsOf(value);
    if (!fields) {
        return (
            <Input.Wrapper label={label} description={description}>
                <JsonField
                    name={label}
                    value={value}
                    onChange={(next) => onChange(next as JsonSchema | undefined)}
                />
            </Input.Wrapper>
        );
    }
    const write = (next: InputField[]) =>
        onChange(next.length === 0 ? undefined : schemaOf(value, next));
    return (
        <RowsField
            label={label}
            {...(description ? { description } : {})}
            rows={fields as unknown as Row[]}
            fresh={{ name: freeName(fields), required: false, schema: { type: "string" } }}
            onChange={(rows) => write(rows as unknown as InputField[])}
            row={(row, writeRow, index) => (
                <Part
                    field={row as unknown as InputField}
                    taken={fields.filter((_, i) => i !== index).map((one) => one.name)}
                    write={(part) => writeRow(part as Row)}
                />
            )}
        />
    );
}
