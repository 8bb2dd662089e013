import { Alert, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useWords } from "@/words";
import { PersonField } from "../PersonField";
import { type Device, Phone, type Shown } from "../phone/Phone";
import { messagesWords } from "../words";
import type { Preview, Reader } from "./useDraft";

interface Props {
    preview: Preview | undefined;
    unfilled: string | undefined;
    part: string;
    reader: Reader;
    onReader: (change: Partial<Reader>) => void;
    device: Device;
    onDevice: (device: Device) => void;
}

function shownOf(preview: Preview, part: string): Shown {
    const { subject = "", text = "", html, messages, title = "", body = "" } = preview.content;
    if (part === "text") return { kind: "sms", text };
    if (part === "line") return { kind: "line", messages: messages ?? [{ type: "text", text }] };
    if (part === "push") return { kind: "push", title, body };
    return { kind: "email", subject, text, ...(html ? { html } : {}) };
}

/** How it looks for one person, in one language, on one device. */
export function PreviewPanel(props: Props) {
    const { preview, unfilled, part, reader, onReader, device, onDevice } = props;
    const t = useWords(messagesWords);
    return (
        <Stack gap="sm">
            <Group gap="xs" align="end">
                <SegmentedControl
                    aria-label={t("device")}
                    value={device}
                    onChange={(value) => onDevice(value as Device)}
                    data={[
                        { value: "phone", label: t("phone") },
                        { value: "desktop", label: t("desktop") },
                    ]}
                />
                <PersonField
                    flex={1}
                    miw={140}
                    label={t("previewFor")}
                    placeholder={t("previewMadeUp")}
                    person={reader.person || undefined}
                    onChange={(person) => onReader({ person: person ?? "" })}
                />
            </Group>
            {reader.person === "" && (
                <Textarea
                    label={t("previewUser")}
                    classNames={{ input: "mono" }}
                    autosize
                    minRows={1}
                    maxRows={6}
                    value={reader.user}
                    onChange={(event) => onReader({ user: event.currentTarget.value })}
                />
            )}
            {unfilled && (
                <Alert color="blue" variant="light" title={t("unfilled")}>
                    {unfilled}
                </Alert>
            )}
            {preview && <Phone shown={shownOf(preview, part)} device={device} />}
            {preview && part === "text" && preview.sms && (
                <Text size="xs" c="dimmed" role="status">
                    {t("smsParts", {
                        parts: preview.sms.parts,
                        letters: [...(preview.content.text ?? "")].length,
                        encoding: preview.sms.encoding,
                    })}
                </Text>
            )}
            <Text size="xs" c="dimmed">
                {t("previewHelp")}
            </Text>
        </Stack>
    );
}
