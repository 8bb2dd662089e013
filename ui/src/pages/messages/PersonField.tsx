import { type ComponentProps, useState } from "react";
import { findPerson, PersonPicker } from "@/builder/trial/PersonPicker";
import { usePersonName } from "@/pages/people/usePerson";

interface Props extends Omit<ComponentProps<typeof PersonPicker>, "value" | "onChange"> {
    person: string | undefined;
    onChange: (person: string | undefined) => void;
}

/** One person, found by name, address or key, and shown by name. */
export function PersonField({ person, onChange, ...rest }: Props) {
    const name = usePersonName(person);
    const [typed, setTyped] = useState<{ text: string; of: string | undefined }>();
    // What is typed stays until someone is chosen, here or elsewhere.
    const text = typed && typed.of === person ? typed.text : (name ?? person ?? "");
    const choose = (key: string) => {
        setTyped(undefined);
        if (key !== (person ?? "")) onChange(key || undefined);
    };
    const submit = async () => {
        if (typed && typed.of === person) choose(await findPerson(typed.text.trim()));
    };
    return (
        <PersonPicker
            {...rest}
            title={person ?? ""}
            value={text}
            onChange={(next) => setTyped({ text: next, of: person })}
            onOptionSubmit={choose}
            onBlur={() => void submit()}
            onKeyDown={(event) => {
                // One that the arrows have chosen is submitted by itself.
                const isChosen = document.querySelector("[data-combobox-selected]") !== null;
                if (event.key === "Enter" && !isChosen) void submit();
            }}
        />
    );
}
