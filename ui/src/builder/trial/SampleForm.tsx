import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { InputForm } from "@/pages/workflows/input/InputForm";
import { inputSchemaOf, personUsesOf } from "@/pages/workflows/input/inputSchema";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import type { JsonSchema } from "../handles";
import { useDraft } from "../store";
import { builderWords } from "../words";
import { PersonPicker } from "./PersonPicker";
import { inputOf, type Trial } from "./useTrial";

const channels = ["email", "sms", "line", "push"];
const titled = new Set(["addresses", "locale", "timezone"]);

/** A made-up person: what templates ask of one, and where messages would go. */
function usePersonSchema(definition: unknown): JsonSchema {
    const t = useWords(builderWords);
    const named = useChannelNames();
    return useMemo(() => {
        const text = (title: string) => ({ type: "string", title });
        const asked = personUsesOf(definition).filter((name) => !titled.has(name));
        const addresses = channels.map((one) => [one, text(named(one))]);
        return {
            type: "object",
            properties: {
                ...Object.fromEntries(asked.map((name) => [name, {}])),
                first_name: text(t("personFirstName")),
                locale: text(t("personLanguage")),
                timezone: text(t("personTimeZone")),
                addresses: {
                    type: "object",
                    title: t("personAddresses"),
                    properties: Object.fromEntries(addresses),
                },
            },
        };
    }, [definition, t, named]);
}

/** Who the test run is about: someone who is there, or someone made up; and what starts it. */
export function SampleForm({ trial }: { trial: Trial }) {
    const t = useWords(builderWords);
    const { sample, write } = trial;
    const [real, setReal] = useState(sample.subject !== "");
    const { definition } = useDraft();
    const personSchema = usePersonSchema(definition);
    const schema = useMemo(() => inputSchemaOf(definition), [definition]);
    const input = inputOf(sample, definition);
    const [firstPerson] = useState(sample.person);
    const [firstInput] = useState(input);
    return (
        <>
            <InputForm
                label={t("testData")}
                jsonLabel={t("testData")}
                schema={schema}
                given={firstInput}
                value={input}
                onChange={(next) => write({ input: next ?? {} })}
            />
            <SegmentedControl
                size="xs"
                fullWidth
                aria-label={t("testWho")}
                data={[
                    { value: "sample", label: t("testSample") },
                    { value: "real", label: t("testReal") },
                ]}
                value={real ? "real" : "sample"}
                onChange={(value) => {
                    setReal(value === "real");
                    if (value !== "real") write({ subject: "" });
                }}
            />
            {real ? (
                <PersonPicker
                    label={t("testPerson")}
                    value={sample.subject}
                    onChange={(subject) => write({ subject })}
                />
            ) : (
                <InputForm
                    label={t("testPerson")}
                    jsonLabel={t("testPerson")}
                    schema={personSchema}
                    given={firstPerson}
                    value={sample.person}
                    onChange={(person) => write({ person })}
                />
            )}
        </>
    );
}
