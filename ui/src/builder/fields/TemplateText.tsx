import { Combobox, Text, Textarea, TextInput, useCombobox } from "@mantine/core";
import { useRef } from "react";
import { useWords } from "@/words";
import { builderWords } from "../words";
import { fill, hasPlaceholders, useSample } from "./sample";

interface Props {
    label: string;
    description?: string;
    withAsterisk?: boolean;
    placeholder?: string;
    value: string;
    long?: boolean;
    onChange: (value: string) => void;
}

/** The name that is being written after `{{`, up to the caret. */
const begun = (text: string, caret: number) => /\{\{\s*([\w.-]*)$/.exec(text.slice(0, caret))?.[1];

/** A text with placeholders: they are completed while typing, and shown as the sample gets them. */
export function TemplateText({ value, long = false, onChange, ...rest }: Props) {
    const t = useWords(builderWords);
    const { names, values } = useSample();
    const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
    const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
    const caret = field.current?.selectionStart ?? value.length;
    const part = begun(value, caret);
    const found =
        part === undefined ? [] : names.filter((name) => name.includes(part)).slice(0, 30);
    const look = () => {
        const at = field.current;
        if (!at || begun(at.value, at.selectionStart ?? 0) === undefined)
            return combobox.closeDropdown();
        combobox.openDropdown();
        requestAnimationFrame(() => combobox.selectFirstOption());
    };
    const pick = (name: string) => {
        const at = field.current?.selectionStart ?? value.length;
        const before = value.slice(0, at).replace(/\{\{\s*[\w.-]*$/, `{{ ${name} }}`);
        onChange(before + value.slice(at).replace(/^[\w.-]*\s*\}\}/, ""));
        combobox.closeDropdown();
        requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
    };
    const input = {
        ...rest,
        ref: field,
        value,
        onChange: (event: { currentTarget: { value: string } }) => {
            onChange(event.currentTarget.value);
            requestAnimationFrame(look);
        },
        onClick: look,
        onBlur: () => combobox.closeDropdown(),
    };
    return (
        <div>
            <Combobox store={combobox} onOptionSubmit={pick} withinPortal position="bottom-start">
                <Combobox.Target
                    withAriaAttributes={false}
                    withKeyboardNavigation={combobox.dropdownOpened && found.length > 0}
                >
                    {long ? (
                        <Textarea {...input} autosize minRows={2} maxRows={14} />
                    ) : (
                        <TextInput {...input} />
                    )}
                </Combobox.Target>
                <Combobox.Dropdown hidden={found.length === 0}>
                    <Combobox.Options mah={220} style={{ overflowY: "auto" }}>
                        {found.map((name) => (
                            <Combobox.Option key={name} value={name} className="mono">
                                {name}
                            </Combobox.Option>
                        ))}
                    </Combobox.Options>
                </Combobox.Dropdown>
            </Combobox>
            {hasPlaceholders(value) && (
                <Text size="xs" c="dimmed" mt={2} data-preview>
                    {t("preview")} {fill(value, values)}
                </Text>
            )}
        </div>
    );
}
