import { Alert, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { detailsOf, type Message } from "./data";
import { useRecipient } from "./Recipient";
import { messagesWords } from "./words";

const reasons = [
    "no_address",
    "invalid_address",
    "no_person",
    "suppressed",
    "unsubscribed",
    "quiet_hours",
    "frequency_cap",
    "holdout",
    "invalid_content",
] as const;

/** Says in a sentence why the person did not get the message, and where to look next. */
export function Why({ message }: { message: Message }) {
    const t = useWords(messagesWords);
    const named = useChannelNames();
    const recipient = useRecipient(message);
    const known = reasons.find((one) => one === message.reason);
    const sentence = () => {
        if (message.state === "skipped") {
            if (known) return t(`why_${known}`, { channel: named(message.channel) });
            return t("why_other", { reason: message.reason ?? "?" });
        }
        if (message.state === "failed") return t("why_failed");
        if (message.state === "bounced") return t("why_bounced");
        if (message.state === "unknown") return t("why_unknown");
        return message.state === "sending" ? t("why_sending") : undefined;
    };
    const said = sentence();
    const bounce = message.facts?.find((fact) => fact.kind === "bounced");
    const words = message.error ?? (bounce && detailsOf(bounce)[0]);
    if (!said) return null;
    return (
        <Alert
            color="blue"
            variant="light"
            title={
                <span title={message.person ?? ""}>
                    {t("whyTitle", { person: recipient ?? t("someone") })}
                </span>
            }
        >
            {said} {words && <b>{words}</b>}
            <Group gap="md" mt={4}>
                {message.person && (
                    <Link to="/people/$key" params={{ key: message.person }} search={{}}>
                        {t("seePerson")}
                    </Link>
                )}
                {message.run_id && (
                    <Link to="/runs/$id" params={{ id: message.run_id }}>
                        {t("run")}
                    </Link>
                )}
            </Group>
        </Alert>
    );
}
