import { Group, Input, NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import { builderWords } from "../words";
import { TemplateText } from "./TemplateText";

interface Props {
    label: string;
    description?: string;
    withAsterisk?: boolean;
    value: unknown;
    onChange: (value: string | undefined) => void;
}

const plain = /^(\d+)\s*(s|m|h|d)$/;

/** A duration as a number and a unit; what says more than that is written as text. */
export function DurationField(props: Props) {
    const { label, description = "", withAsterisk = false, value, onChange } = props;
    const t = useWords(builderWords);
    const text = value === undefined ? "" : String(value);
    const read = plain.exec(typeof value === "number" ? `${value}s` : text);
    const [unit, setUnit] = useState(read?.[2] ?? "d");
    if (text !== "" && !read) {
        return (
            <TemplateText
                label={label}
                description={description}
                withAsterisk={withAsterisk}
                value={text}
                onChange={(next) => onChange(next === "" ? undefined : next)}
            />
        );
    }
    const units = { s: t("seconds"), m: t("minutes"), h: t("hours"), d: t("days") };
    const shown = read?.[2] ?? unit;
    return (
        <Input.Wrapper label={label} description={description} withAsterisk={withAsterisk}>
            <Group gap={4} wrap="nowrap">
                <NumberInput
                    aria-label={label}
                    min={0}
                    allowDecimal={false}
                    value={read ? Number(read[1]) : ""}
                    onChange={(count) => onChange(count === "" ? undefined : `${count}${shown}`)}
                />
                <Select
                    aria-label={t("unit")}
                    allowDeselect={false}
                    w={110}
                    data={Object.entries(units).map(([one, name]) => ({ value: one, label: name }))}
                    value={shown}
                    onChange={(next) => {
                        setUnit(next ?? "d");
                        if (read) onChange(`${read[1]}${next}`);
                    }}
                />
            </Group>
        </Input.Wrapper>
    );
}
