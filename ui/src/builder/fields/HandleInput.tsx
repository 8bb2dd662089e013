import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "@/words";
import { builderWords } from "../words";

interface Props {
    label: string;
    description?: string;
    withAsterisk?: boolean;
    placeholder?: string;
    value: string;
    /** It must be there. */
    needed?: boolean;
    /** Names that others have. */
    taken?: string[];
    onChange: (name: string) => void;
}

const nothing: string[] = [];

/**
 * The name of a way out. It is written when it is ready, not at each letter: the edges that leave by
 * it get the new name, too, and half of a name may be that of another way.
 */
export function HandleInput(props: Props) {
    const { value, needed = false, taken = nothing, onChange, ...shown } = props;
    const t = useWords(builderWords);
    const [typed, setTyped] = useState<string>();
    const text = typed ?? value;
    const wrong = (needed && text === "") || taken.includes(text);
    const keep = () => {
        setTyped(undefined);
        if (!wrong && text !== value) onChange(text);
    };
    return (
        <TextInput
            {...shown}
            value={text}
            error={wrong ? t("keyTaken") : undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onBlur={keep}
            onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && keep()}
        />
    );
}
