import { Badge, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { request } from "@/data/api";
import { useWords } from "@/words";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { beginOf, contentFor, contentKeys, contents } from "./channelContent";
import { LineMessages } from "./LineMessages";
import { type Row, withPart } from "./RowsField";
import { TemplateText } from "./TemplateText";
import { ValuesField } from "./ValuesField";

interface Template {
    name: string;
    languages: string[];
    category: string;
}

function useTemplates(): Template[] {
    const query = useQuery({
        queryKey: ["templates", "names"],
        retry: false,
        queryFn: () => request<{ data: Template[] }>("GET", "/v1/templates?limit=200"),
    });
    return query.data?.data ?? [];
}

/** The settings that this form has, so that the others are offered below. */
export const messageKeys = ["channel", "template", "with", "category", ...contentKeys];

const text = (value: unknown) => (typeof value === "string" ? value : "");

interface Props {
    config: Row;
    onChange: (config: Row) => void;
}

/** A message: by which channel, from which template or with which words. */
export function MessageForm({ config, onChange }: Props) {
    const t = useWords(builderWords);
    const templates = useTemplates();
    const channel = text(config.channel) || "sms";
    const write = (part: Row) => onChange(withPart(config, part));
    const drop = (keys: string[]) => Object.fromEntries(keys.map((key) => [key, undefined]));
    const uses = config.template !== undefined;
    const chosen = templates.find((one) => one.name === config.template);
    const pickChannel = (next: string | null) => {
        if (!next) return;
        write({ channel: next, ...(uses ? drop(contentKeys) : contentFor(config, next)) });
    };
    const line = (key: string, label: string, long = false) => (
        <TemplateText
            key={key}
            long={long}
            label={label}
            withAsterisk={key === contents[channel]?.[0]}
            value={text(config[key])}
            onChange={(next) => write({ [key]: next === "" ? undefined : next })}
        />
    );
    return (
        <Stack gap="sm">
            <Select
                label={t("channel")}
                withAsterisk
                data={[
                    { value: "line", label: "LINE" },
                    { value: "sms", label: "SMS" },
                    { value: "email", label: t("channelEmail") },
                    { value: "push", label: t("channelPush") },
                    { value: "webhook", label: "Webhook" },
                ]}
                value={channel}
                allowDeselect={false}
                onChange={pickChannel}
            />
            <SegmentedControl
                fullWidth
                aria-label={t("content")}
                data={[
                    { value: "own", label: t("contentOwn") },
                    { value: "template", label: t("contentTemplate") },
                ]}
                value={uses ? "template" : "own"}
                onChange={(next) =>
                    next === "template"
                        ? write({ ...drop(contentKeys), template: templates[0]?.name ?? "" })
                        : write({ template: undefined, with: undefined, ...beginOf(channel) })
                }
            />
            {uses && (
                <>
                    <Select
                        label={t("template")}
                        withAsterisk
                        searchable
                        nothingFoundMessage={t("templateNone")}
                        data={[
                            ...templates.map((one) => one.name),
                            ...(chosen || !config.template ? [] : [String(config.template)]),
                        ]}
                        value={text(config.template) || null}
                        onChange={(template) => write({ template: template ?? "" })}
                    />
                    {chosen && (
                        <Group gap={4}>
                            <Text size="xs" c="dimmed">
                                {t("templateLanguages")}
                            </Text>
                            {chosen.languages.map((one) => (
                                <Badge key={one} size="sm" variant="default">
                                    {one}
                                </Badge>
                            ))}
                        </Group>
                    )}
                    <ValuesField
                        label={t("templateWith")}
                        description={t("templateWithHelp")}
                        value={config.with}
                        onChange={(value) => write({ with: value })}
                    />
                </>
            )}
            {!uses && channel === "line" && (
                <LineMessages
                    messages={config.messages}
                    onChange={(messages) => write({ messages })}
                />
            )}
            {!uses && (channel === "email" || channel === "sms") && (
                <>
                    {channel === "email" && line("subject", t("subject"))}
                    {line("text", t("messageText"), true)}
                    {channel === "email" && line("html", "HTML", true)}
                </>
            )}
            {!uses && channel === "push" && (
                <>
                    {line("title", t("title"))}
                    {line("body", t("messageText"), true)}
                </>
            )}
            {!uses && channel === "webhook" && (
                <>
                    {line("text", t("messageText"), true)}
                    {typeof config.body === "object" && (
                        <JsonField
                            name={t("body")}
                            value={config.body}
                            onChange={(body) => write({ body })}
                        />
                    )}
                </>
            )}
            {!uses && config.data !== undefined && (
                <ValuesField
                    label={t("data")}
                    value={config.data}
                    onChange={(data) => write({ data })}
                />
            )}
            <Select
                label={t("category")}
                description={t("categoryHelp")}
                data={[
                    { value: "marketing", label: t("categoryMarketing") },
                    { value: "transactional", label: t("categoryTransactional") },
                ]}
                value={text(config.category) || "marketing"}
                allowDeselect={false}
                onChange={(category) =>
                    write({ category: category === "marketing" ? undefined : category })
                }
            />
        </Stack>
    );
}
