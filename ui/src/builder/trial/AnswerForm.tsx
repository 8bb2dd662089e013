import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useMemo, useState } from "react";
import { InputForm } from "@/pages/workflows/input/InputForm";
import { useWords } from "@/words";
import { BrokenFields, useBroken } from "../broken";
import type { JsonSchema } from "../handles";
import { useDraft } from "../store";
import { builderWords } from "../words";
import { answerSchemaOf } from "./answerSchema";
import classes from "./Trial.module.css";
import type { RehearsedStep, Trial } from "./useTrial";

interface FieldsProps {
    label: string;
    schema: JsonSchema | undefined;
    value: unknown;
    onChange: (value: unknown) => void;
}

/** Values of an answer, as fields, or as JSON where it is none. */
export function AnswerFields({ label, schema, value, onChange }: FieldsProps) {
    const [given] = useState(value);
    return (
        <InputForm
            label={label}
            jsonLabel={label}
            schema={schema}
            given={given}
            value={value}
            onChange={onChange}
        />
    );
}

interface Props {
    trial: Trial;
    step: RehearsedStep;
    /** What was said that it answers. */
    said: unknown;
}

/** What a step that was made up should answer instead: fields for what the others read of it. */
export function AnswerForm({ trial, step, said }: Props) {
    const t = useWords(builderWords);
    const { definition } = useDraft();
    const schema = useMemo(() => answerSchemaOf(definition, step.node), [definition, step.node]);
    // A model without a schema writes text.
    const isText = step.type === "agent" && !schema;
    const [value, setValue] = useState<unknown>(said ?? (isText ? "" : (step.result ?? {})));
    const { broken, report } = useBroken();
    return (
        <Group gap="xs" align="flex-end" mb={4} wrap="nowrap">
            <Stack gap={4} className={classes.answer ?? ""}>
                <BrokenFields value={report}>
                    {isText ? (
                        <Textarea
                            label={t("testAnswer")}
                            autosize
                            minRows={2}
                            maxRows={8}
                            value={typeof value === "string" ? value : ""}
                            onChange={(event) => setValue(event.currentTarget.value)}
                        />
                    ) : (
                        <AnswerFields
                            label={t("testAnswer")}
                            schema={schema}
                            value={value}
                            onChange={setValue}
                        />
                    )}
                </BrokenFields>
            </Stack>
            <Button
                size="compact-xs"
                variant="default"
                disabled={broken || value === undefined}
                onClick={() => trial.answer(step.node, { result: value })}
            >
                {t("testUse")}
            </Button>
        </Group>
    );
}
