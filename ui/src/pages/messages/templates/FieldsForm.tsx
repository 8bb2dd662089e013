import { Input, Stack, Switch, Tabs, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { CodeEditor } from "@/components/editor/CodeEditor";
import type { EditorLanguage } from "@/components/editor/props";
import { useWords } from "@/words";
import { messagesWords } from "../words";
import { type Fields, type Problem, placesOf } from "./data";

interface Props {
    fields: Fields;
    problems: Problem[];
    onChange: (change: Partial<Fields>) => void;
    part: string;
    onPart: (part: string) => void;
    readOnly: boolean;
}

type TextField = "text" | "html" | "messages" | "body" | "data";

/** What one language says, by channel. */
export function FieldsForm({ fields, problems, onChange, part, onPart, readOnly }: Props) {
    const t = useWords(messagesWords);
    const wrong = (field: string) => {
        const said = problems
            .filter((one) => one.field === field)
            .map((one) => (one.message === "JSON" ? t("notJson") : one.message));
        return said.length > 0 ? said.join("\n") : undefined;
    };
    const line = (field: "subject" | "title"): ReactNode => (
        <TextInput
            label={t(field === "title" ? "pushTitle" : field)}
            value={fields[field]}
            error={wrong(field)}
            readOnly={readOnly}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
        />
    );
    const area = (field: TextField, language: EditorLanguage, minHeight = 110): ReactNode => (
        <Input.Wrapper label={t(field)} error={wrong(field)} labelElement="div">
            <CodeEditor
                value={fields[field]}
                language={language}
                label={t(field)}
                readOnly={readOnly}
                minHeight={minHeight}
                maxHeight={4000}
                onChange={(value) => onChange({ [field]: value })}
                problems={problems
                    .filter((one) => one.field === field && one.find)
                    .flatMap((one) =>
                        placesOf(fields[field], one.find!).map((place) => ({
                            ...place,
                            message: one.message,
                        })),
                    )}
            />
        </Input.Wrapper>
    );
    return (
        <Tabs value={part} onChange={(value) => value && onPart(value)} keepMounted={false}>
            <Tabs.List mb="sm">
                <Tabs.Tab value="email">{t("partEmail")}</Tabs.Tab>
                <Tabs.Tab value="text">{t("partText")}</Tabs.Tab>
                <Tabs.Tab value="line">{t("partLine")}</Tabs.Tab>
                <Tabs.Tab value="push">{t("partPush")}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="email">
                <Stack gap="sm">
                    {line("subject")}
                    {area("html", "html", 240)}
                    <Switch
                        label={t("track")}
                        description={t("trackHelp")}
                        disabled={readOnly}
                        checked={fields.track ?? true}
                        onChange={(event) =>
                            onChange({ track: event.currentTarget.checked ? undefined : false })
                        }
                    />
                </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="text">{area("text", "text", 160)}</Tabs.Panel>
            <Tabs.Panel value="line">{area("messages", "json", 260)}</Tabs.Panel>
            <Tabs.Panel value="push">
                <Stack gap="sm">
                    {line("title")}
                    {area("body", "text")}
                    {area("data", "json")}
                </Stack>
            </Tabs.Panel>
        </Tabs>
    );
}
