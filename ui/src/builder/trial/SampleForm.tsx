import { Autocomplete, Input, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { request } from "@/data/api";
import { useWords } from "@/words";
import { builderWords } from "../words";
import type { Trial } from "./useTrial";

/** Keys of people that begin like this. */
function usePeople(text: string, enabled: boolean): string[] {
    const [settled] = useDebouncedValue(text, 200);
    const query = useQuery({
        queryKey: ["people", "keys", settled],
        enabled,
        retry: false,
        queryFn: async () => {
            const page = await request<{ data: { key: string }[] }>("GET", "/v1/people?limit=50");
            return page.data.map((one) => one.key);
        },
    });
    return query.data ?? [];
}

/** Who the test run is about: someone who is there, or someone made up; and what starts it. */
export function SampleForm({ trial }: { trial: Trial }) {
    const t = useWords(builderWords);
    const { sample, write } = trial;
    const [real, setReal] = useState(sample.subject !== "");
    const people = usePeople(sample.subject, real);
    return (
        <>
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
                <Autocomplete
                    label={t("testPerson")}
                    data={people}
                    value={sample.subject}
                    onChange={(subject) => write({ subject })}
                />
            ) : (
                <Input.Wrapper label={t("testPerson")}>
                    <CodeEditor
                        language="json"
                        label={t("testPerson")}
                        value={sample.person}
                        minHeight={60}
                        maxHeight={110}
                        onChange={(person) => write({ person })}
                    />
                </Input.Wrapper>
            )}
            <Input.Wrapper label={t("testData")}>
                <CodeEditor
                    language="json"
                    label={t("testData")}
                    value={sample.input}
                    minHeight={44}
                    maxHeight={110}
                    onChange={(input) => write({ input })}
                />
            </Input.Wrapper>
        </>
    );
}
