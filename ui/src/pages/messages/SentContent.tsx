import { Stack, Text } from "@mantine/core";
import { useWords } from "@/words";
import { type Message, shownContent } from "./data";
import { Phone } from "./phone/Phone";
import { messagesWords } from "./words";

/** What the message says, as the person saw it; or why that is not known. */
export function SentContent({ message }: { message: Message }) {
    const t = useWords(messagesWords);
    const { content, content_missing: missing } = message;
    if (missing === "skipped") return null;
    const shown = content ? shownContent(message.channel, content) : undefined;
    return (
        <Stack gap="xs" data-content>
            <Text fw={600}>{t("content")}</Text>
            {shown ? (
                <>
                    <Phone shown={shown} device="phone" />
                    <Text size="xs" c="dimmed">
                        {t("contentHelp")}
                    </Text>
                </>
            ) : (
                <Text c="dimmed">{t(`content_${missing ?? "unfilled"}`)}</Text>
            )}
        </Stack>
    );
}
