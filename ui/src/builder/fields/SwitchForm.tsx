import { useWords } from "@/words";
import { configSchema } from "../handles";
import { SchemaField } from "../SchemaField";
import { useSettingWords } from "../settingWords";
import { builderWords } from "../words";
import { WhenField } from "./ConditionForm";
import { HandleInput } from "./HandleInput";
import { type Row, RowsField, withPart } from "./RowsField";
import { type FormProps, SchemaForm } from "./SchemaForm";

const own = ["cases"];

interface Props extends FormProps {
    config: Row;
    onChange: (config: Row) => void;
}

/** Ways out by a value, or by a condition each. */
export function SwitchForm({ node, type, config, onChange }: Props) {
    const t = useWords(builderWords);
    const words = useSettingWords();
    const schema = configSchema(type).properties?.cases ?? {};
    const parts = schema.items?.properties ?? {};
    const cases = (Array.isArray(config.cases) ? config.cases : []) as Row[];
    const said = (key: string) => words.sentence(parts[key]?.description) ?? "";
    const handles = cases.map((one) => String(one.handle ?? ""));
    const free = () => {
        for (let i = cases.length + 1; ; ++i) {
            if (!handles.includes(`case_${i}`)) return `case_${i}`;
        }
    };
    // Beside a value each case is another value; a case says one of the two.
    const byValue = config.value !== undefined;
    const fresh = byValue ? { equals: "" } : { when: { path: "input.", operator: "=", value: "" } };
    return (
        <>
            <SchemaForm node={node} type={type} without={own} />
            <RowsField
                label={words.label("cases")}
                description={words.sentence(schema.description) ?? ""}
                rows={cases}
                fresh={{ ...fresh, handle: free() }}
                atLeast={1}
                onChange={(rows) => onChange(withPart(config, { cases: rows }))}
                row={(row, write) => (
                    <>
                        {(byValue || row.equals !== undefined) && (
                            <SchemaField
                                name="equals"
                                schema={parts.equals ?? {}}
                                required={byValue}
                                value={row.equals}
                                onChange={(equals) => write({ equals })}
                            />
                        )}
                        {(!byValue || row.when !== undefined) && (
                            <WhenField
                                label={words.label("when")}
                                description={said("when")}
                                value={row.when}
                                person
                                onChange={(when) => write({ when })}
                            />
                        )}
                        <HandleInput
                            label={t("wayOut")}
                            withAsterisk
                            value={String(row.handle ?? "")}
                            needed
                            onChange={(handle) => write({ handle })}
                        />
                    </>
                )}
            />
        </>
    );
}
