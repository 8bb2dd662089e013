import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { JsonSchema } from "../handles";

/** What a text of a format looks like; the server checks these. */
const looks: Record<string, string> = {
    date: "2026-05-31",
    "date-time": "2026-05-31T08:00:00Z",
    time: "08:00:00Z",
    email: "name@example.com",
    uri: "https://example.com",
    uuid: "01a1eb6f-adc7-70bc-a550-708681e82da9",
};

const inputs: Record<string, "date" | "email" | "url"> = {
    date: "date",
    email: "email",
    uri: "url",
};

/** A browser's own field for dates shows nothing but dates. */
function inputOf(format: string, text: string) {
    const isDate = text === "" || /^\d{4}-\d{2}-\d{2}$/.test(text);
    return format === "date" && !isDate ? undefined : inputs[format];
}

interface Props {
    label: string;
    description: string;
    withAsterisk: boolean;
    schema: JsonSchema;
    hint: string;
    long: boolean;
    text: string;
    write: (text: string) => void;
}

/** A text that is data: nothing is filled into it. */
export function PlainText({ schema, hint, long, text, write, ...rest }: Props) {
    const format = typeof schema.format === "string" ? schema.format : "";
    const standard = typeof schema.default === "string" ? schema.default : "";
    const shared = {
        ...rest,
        value: text,
        placeholder: hint || standard || looks[format] || "",
        onChange: (event: { currentTarget: { value: string } }) => write(event.currentTarget.value),
    };
    // Whatever is typed, the field stays the one in which it is typed.
    const [tall] = useState(() => long || text.length > 80 || text.includes("\n"));
    if (tall) {
        return <Textarea {...shared} autosize minRows={2} maxRows={14} />;
    }
    const type = inputOf(format, text);
    return <TextInput {...shared} {...(type ? { type } : {})} />;
}
