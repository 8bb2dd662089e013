import { Autocomplete, TextInput } from "@mantine/core";
import { useState } from "react";
import { textOfValue, valueOfText } from "@/builder/fields/condition";

interface Props {
    label: string;
    description: string;
    withAsterisk: boolean;
    /** What others have compared it with. */
    examples: unknown[];
    value: unknown;
    onChange: (value: unknown) => void;
}

/** A value of a kind that is not known: 100 and true are what they are, the rest is text. */
export function ValueField({ examples, value, onChange, ...rest }: Props) {
    // What is typed stays: 1.0 is a number on the way to 1.05.
    const [typed, setTyped] = useState<{ text: string; of: unknown }>();
    const text = typed && typed.of === value ? typed.text : textOfValue(value);
    const write = (next: string) => {
        const read = next === "" ? undefined : valueOfText(next, "=");
        setTyped({ text: next, of: read });
        onChange(read);
    };
    if (examples.length === 0) {
        return (
            <TextInput
                {...rest}
                value={text}
                onChange={(event) => write(event.currentTarget.value)}
            />
        );
    }
    return (
        <Autocomplete {...rest} data={examples.map(textOfValue)} value={text} onChange={write} />
    );
}
