import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import { builderWords } from "../words";

interface Props {
    label: string;
    value: string;
    /** Names that other rows have. */
    taken: string[];
    onChange: (name: string) => void;
}

/** The name of a value among others: two with one name would be one, so that is not written. */
export function KeyInput({ label, value, taken, onChange }: Props) {
    const t = useWords(builderWords);
    const [typed, setTyped] = useState<{ text: string; of: string }>();
    const text = typed && typed.of === value ? typed.text : value;
    const wrong = text === "" || taken.includes(text);
    return (
        <TextInput
            label={label}
            value={text}
            error={wrong ? t("keyTaken") : undefined}
            onChange={(event) => {
                const next = event.currentTarget.value;
                const fine = next !== "" && !taken.includes(next);
                setTyped({ text: next, of: fine ? next : value });
                if (fine) onChange(next);
            }}
            onBlur={() => setTyped(undefined)}
        />
    );
}
