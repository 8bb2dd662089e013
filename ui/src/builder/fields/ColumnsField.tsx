import { Input } from "@mantine/core";
import { useWords } from "@/words";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { TestFields, useOperators } from "./ConditionFields";
import { type Column, columnsOf, valueOfColumns } from "./condition";
import { KeyInput } from "./KeyInput";
import { type Row, RowsField } from "./RowsField";

/** What the database cannot ask of a row while it is written. */
const later = new Set(["matches", "before", "after", "older than", "within last"]);

interface Props {
    label: string;
    description: string;
    value: unknown;
    onChange: (value: unknown) => void;
}

/** What the columns of a row, or the values of a person, must be: all of these. */
export function ColumnsField({ label, description, value, onChange }: Props) {
    const t = useWords(builderWords);
    const operators = useOperators().filter((one) => !later.has(one));
    const rows = columnsOf(value);
    if (!rows) {
        return (
            <Input.Wrapper label={label} description={description}>
                <JsonField name={label} value={value} onChange={onChange} />
            </Input.Wrapper>
        );
    }
    const names = rows.map((row) => row.name);
    const free = () => {
        for (let i = 1; ; ++i) if (!names.includes(`column_${i}`)) return `column_${i}`;
    };
    return (
        <RowsField
            label={label}
            description={description}
            rows={rows as unknown as Row[]}
            fresh={{ name: free(), operator: "=", value: "" }}
            onChange={(next) => onChange(valueOfColumns(next as unknown as Column[]))}
            row={(row, write, index) => (
                <>
                    <KeyInput
                        label={t("conditionColumn")}
                        value={String(row.name)}
                        taken={names.filter((_, i) => i !== index)}
                        onChange={(name) => write({ name })}
                    />
                    <TestFields test={row} operators={operators} onChange={write} />
                </>
            )}
        />
    );
}
