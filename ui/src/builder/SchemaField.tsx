import { Input, Select, Switch, TagsInput } from "@mantine/core";
import { useWords } from "@/words";
import { rangeOf } from "./fields/action";
import { FilterField, WhenField } from "./fields/ConditionForm";
import { DurationField } from "./fields/DurationField";
import { InputSchemaField } from "./fields/InputSchemaField";
import { formOf, type Kind, kindOf, labelOf, longFields } from "./fields/kinds";
import { NumberField } from "./fields/NumberField";
import { PlainText } from "./fields/PlainText";
import { type Row, RowsField, withPart } from "./fields/RowsField";
import { TemplateText } from "./fields/TemplateText";
import { ValuesField } from "./fields/ValuesField";
import { choiceOf, choicesOf } from "./fields/values";
import type { JsonSchema } from "./handles";
import { JsonField } from "./JsonField";
import { useSettingWords } from "./settingWords";
import { builderWords } from "./words";

interface Props {
    name: string;
    schema: JsonSchema;
    required: boolean;
    value: unknown;
    /** undefined: it is not set. */
    onChange: (value: unknown) => void;
    /** It is no setting of a step: its name says nothing about it, and its text is no template. */
    values?: boolean;
}

/** A value of its own for each property of an object. */
function Properties({
    schema,
    value,
    onChange,
    values = false,
}: Pick<Props, "schema" | "value" | "onChange" | "values">) {
    const row = (typeof value === "object" && value !== null ? value : {}) as Row;
    return Object.entries(schema.properties ?? {}).map(([key, one]) => (
        <SchemaField
            key={key}
            name={key}
            schema={one}
            required={(schema.required ?? []).includes(key)}
            values={values}
            value={Object.hasOwn(row, key) ? row[key] : undefined}
            onChange={(next) => {
                const changed = withPart(row, { [key]: next });
                onChange(Object.keys(changed).length === 0 ? undefined : changed);
            }}
        />
    ));
}

/** One setting, edited as what its schema says it is. */
export function SchemaField(props: Props) {
    const { name, required, value, onChange, values = false } = props;
    const schema = formOf(props.schema, value);
    const t = useWords(builderWords);
    const example = schema.examples?.[0];
    const hint = typeof example === "string" || typeof example === "number" ? String(example) : "";
    const words = useSettingWords();
    const says = values
        ? [schema.description, rangeOf(schema)]
        : [words.sentence(schema.description)];
    const shared = {
        label: values ? schema.title || labelOf(name) : words.label(name),
        description: says.filter(Boolean).join(" · "),
        withAsterisk: required,
    };
    const kind: Kind = kindOf(values ? "" : name, schema, value);
    switch (kind) {
        case "choice": {
            const choices = choicesOf(schema.enum ?? []);
            const called = (one: string) => (values ? one : words.choice(one));
            return (
                <Select
                    {...shared}
                    data={[...choices.keys()].map((one) => ({ value: one, label: called(one) }))}
                    value={choiceOf(choices, value)}
                    placeholder={
                        schema.default === undefined ? t("unset") : called(String(schema.default))
                    }
                    clearable={!required}
                    searchable={choices.size > 8}
                    onChange={(chosen) =>
                        onChange(chosen === null ? undefined : choices.get(chosen))
                    }
                />
            );
        }
        case "switch": {
            const standard = schema.default === true;
            return (
                <Switch
                    label={shared.label}
                    description={shared.description}
                    checked={value === undefined ? standard : value === true}
                    onChange={(event) => {
                        const on = event.currentTarget.checked;
                        onChange(!values && on === standard ? undefined : on);
                    }}
                />
            );
        }
        case "number":
            return <NumberField {...{ ...shared, schema, hint, value, onChange }} />;
        case "duration":
            return <DurationField {...shared} value={value} onChange={onChange} />;
        case "texts":
            return (
                <TagsInput
                    {...shared}
                    placeholder={t("tagsHelp")}
                    value={Array.isArray(value) ? value.map(String) : []}
                    onChange={(texts) =>
                        onChange(texts.length === 0 && !required ? undefined : texts)
                    }
                />
            );
        case "text": {
            const text = value === undefined || value === null ? "" : String(value);
            const write = (typed: string) =>
                onChange(typed === "" && !required ? undefined : typed);
            const long = longFields.has(name);
            if (values) {
                return <PlainText {...{ ...shared, schema, hint, long, text, write }} />;
            }
            return (
                <TemplateText
                    {...shared}
                    long={long}
                    placeholder={hint}
                    value={text}
                    onChange={write}
                />
            );
        }
        case "rows":
            return (
                <RowsField
                    {...shared}
                    rows={(Array.isArray(value) ? value : []) as Row[]}
                    fresh={{}}
                    onChange={(rows) => onChange(rows.length === 0 && !required ? undefined : rows)}
                    row={(row, write) => (
                        <Properties
                            schema={schema.items ?? {}}
                            values={values}
                            value={row}
                            onChange={(next) => {
                                const gone = Object.fromEntries(
                                    Object.keys(row).map((k) => [k, undefined]),
                                );
                                write({ ...gone, ...((next ?? {}) as Row) });
                            }}
                        />
                    )}
                />
            );
        case "object":
            return (
                <Input.Wrapper {...shared} labelElement="div">
                    <Properties {...{ schema, value, onChange, values }} />
                </Input.Wrapper>
            );
        case "schema":
            return (
                <InputSchemaField
                    label={shared.label}
                    description={shared.description}
                    value={value}
                    onChange={onChange}
                />
            );
        case "condition":
            return name === "filter" ? (
                <FilterField {...{ ...shared, value, onChange }} below="event.data" />
            ) : (
                <WhenField {...{ ...shared, value, onChange }} />
            );
        case "values":
            return <ValuesField {...shared} value={value} example={example} onChange={onChange} />;
        default:
            return (
                <Input.Wrapper {...shared}>
                    <JsonField
                        name={shared.label}
                        value={value}
                        example={example}
                        onChange={onChange}
                    />
                </Input.Wrapper>
            );
    }
}
