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

interface OptionalProps {
    label: string;
    description?: string | undefined;
    value: unknown;
    /** What can be asked for. */
    names: string[];
    /** What a new one asks for. */
    fresh: string;
    /** What its absence means. */
    removed: string;
    onChange: (value: unknown) => void;
}

/** A condition that there need not be. */
function OptionalCondition(props: OptionalProps) {
    const { label, description, value, names, fresh, removed, onChange } = props;
    const t = useWords(builderWords);
    const group = value === undefined ? undefined : groupOf(value);
    if (value === undefined) {
        return (
            <Input.Wrapper label={label} description={description} labelElement="div">
                <Group mt={4}>
                    <Button
                        size="compact-xs"
                        variant="default"
                        leftSection={<IconPlus size={12} />}
                        onClick={() => onChange({ path: fresh, operator: "=", value: "" })}
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
                names={names}
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
                    {removed}
                </Button>
            </Group>
        </Stack>
    );
}

interface FilterProps {
    label: string;
    description?: string | undefined;
    value: unknown;
    /** What the data of the event stands below: `event.data` or `data`. */
    below: string;
    onChange: (value: unknown) => void;
}

/** A condition on an event. */
export function FilterField({ below, ...rest }: FilterProps) {
    const t = useWords(builderWords);
    const { names } = useSample();
    const seen = names
        .filter((name) => name.startsWith("trigger."))
        .map((name) => `${below}.${name.slice("trigger.".length)}`);
    return (
        <OptionalCondition
            {...rest}
            names={seen.length > 0 ? seen : [`${below}.total`]}
            fresh={`${below}.`}
            removed={t("filterRemove")}
        />
    );
}

interface WhenProps extends Omit<FilterProps, "below"> {
    /** It can ask for the person; edges and loops cannot. */
    person?: boolean;
}

/** A condition on what the run knows. */
export function WhenField({ person = false, ...rest }: WhenProps) {
    const t = useWords(builderWords);
    const { names } = useSample();
    const known = names
        .filter((name) => person || !name.startsWith("user."))
        .map((name) => name.replace(/^trigger\./, "input."));
    return (
        <OptionalCondition
            {...rest}
            names={known.length > 0 ? known : ["input.total"]}
            fresh="input."
            removed={t("conditionRemove")}
        />
    );
}
