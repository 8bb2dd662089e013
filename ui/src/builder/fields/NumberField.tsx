import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { ExactNumber } from "@/data/json";
import type { JsonSchema } from "../handles";
import { isWhole } from "./kinds";
import { readNumber } from "./values";

interface Props {
    label: string;
    description: string;
    withAsterisk: boolean;
    schema: JsonSchema;
    hint: string;
    value: unknown;
    /** undefined: it is not set. */
    onChange: (value: unknown) => void;
}

/** A number as it is written, however many digits it has. */
export function NumberField({ schema, hint, value, onChange, ...rest }: Props) {
    // What is typed stays: 1.0 is a number on the way to 1.05.
    const [typed, setTyped] = useState<{ text: number | string; of: unknown }>();
    const isLong = value instanceof ExactNumber;
    const known = isLong ? value.text : typeof value === "number" ? value : "";
    return (
        <NumberInput
            {...rest}
            {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
            {...(schema.maximum === undefined ? {} : { max: schema.maximum })}
            allowDecimal={!isWhole(schema)}
            // What tidies a number when one leaves the field rounds it.
            {...(isLong ? { clampBehavior: "none", trimLeadingZeroesOnBlur: false } : {})}
            value={typed && typed.of === value ? typed.text : known}
            placeholder={schema.default === undefined ? hint : String(schema.default)}
            onChange={(text) => {
                const of = readNumber(text);
                setTyped({ text, of });
                onChange(of);
            }}
        />
    );
}
