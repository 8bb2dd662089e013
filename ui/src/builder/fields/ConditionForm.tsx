import { Button, Group, Input, Stack } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useWords } from "@/words";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { GroupFields } from "./ConditionFields";
import { conditionOf, groupOf } from "./condition";
import type { Row } from "./RowsField";
import { useSample } from "./sample";

interface Props {
    config: Row;
    /** Replaces the whole condition. */
    onChange: (config: Row) => void;
}

/** A condition: what is compared how with which value; groups of that; questions to tables. */
export function ConditionForm({ config, onChange }: Props) {
    const t = useWords(builderWords);
    const { names } = useSample();
    const group = groupOf(config);
    if (!group) {
        return (
            <JsonField
                name={t("conditionKind")}
                value={config}
                onChange={(value) => onChange((value ?? {}) as Row)}
            />
        );
    }
    return (
        <Stack gap="sm">
            <GroupFields
                label={t("conditionHolds")}
                group={group}
                names={names}
                tables
                onChange={(next) => onChange(conditionOf(next))}
            />
        </Stack>
    );
}

interface FilterProps {
    label: string;
    value: unknown;
    /** What the data of the event stands below: `event.data` or `data`. */
    below: string;
    onChange: (value: unknown) => void;
}

/** A condition on an event; there need not be one. */
export function FilterField({ label, value, below, onChange }: FilterProps) {
    const t = useWords(builderWords);
    const { names } = useSample();
    const seen = names
        .filter((name) => name.startsWith("trigger."))
        .map((name) => `${below}.${name.slice("trigger.".length)}`);
    const group = value === undefined ? undefined : groupOf(value);
    if (value === undefined) {
        return (
            <Input.Wrapper label={label} labelElement="div">
                <Group mt={4}>
                    <Button
                        size="compact-xs"
                        variant="default"
                        leftSection={<IconPlus size={12} />}
                        onClick={() => onChange({ path: `${below}.`, operator: "=", value: "" })}
                    >
                        {t("filterAdd")}
                    </Button>
                </Group>
            </Input.Wrapper>
        );
    }
    if (!group) return <JsonField name={label} value={value} onChange={onChange} />;
    return (
        <Stack gap={6}>
            <GroupFields
                label={label}
                group={group}
                names={seen.length > 0 ? seen : [`${below}.total`]}
                tables={false}
                onChange={(next) => onChange(conditionOf(next))}
            />
            <Group>
                <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    leftSection={<IconTrash size={12} />}
                    onClick={() => onChange(undefined)}
                >
                    {t("filterRemove")}
                </Button>
            </Group>
        </Stack>
    );
}
