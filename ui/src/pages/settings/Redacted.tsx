import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { CodeLine } from "@/components/CodeLine";
import { sqlText } from "@/components/command";
import { useWords } from "@/words";
import { settingsWords } from "./words";

/** An array as PostgreSQL reads it, in a statement. */
export function asRedaction(names: readonly string[]): string {
    const list = names.map((one) => `"${one.replace(/(["\\])/g, "\\$1")}"`).join(",");
    return `select pawl.redact(${sqlText(`{${list}}`)});`;
}

/** What is known about people, may be used in messages and conditions, and is shown nowhere. */
export function Redacted({ names }: { names: readonly string[] }) {
    const t = useWords(settingsWords);
    return (
        <Stack gap="xs" maw={820}>
            <Title order={2}>{t("redacted")}</Title>
            <Text c="dimmed">{t(names.length > 0 ? "redactedText" : "redactedNone")}</Text>
            {names.length > 0 && (
                <Group gap={6} component="ul" p={0} m={0} aria-label={t("redacted")}>
                    {names.map((one) => (
                        <Badge key={one} component="li" variant="default" tt="none">
                            {one}
                        </Badge>
                    ))}
                </Group>
            )}
            <CodeLine
                label={t("changeBySql")}
                text={asRedaction(names.length > 0 ? names : ["income"])}
            />
        </Stack>
    );
}
