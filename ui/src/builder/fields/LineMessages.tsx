import { Input, Select, TextInput } from "@mantine/core";
import { LineMessages as Preview } from "@/pages/messages/phone/Line";
import { useWords } from "@/words";
import { mapTexts } from "../graph";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { LineCards } from "./LineCards";
import { cardsOf, freshCard, messageOf } from "./lineCard";
import { type Row, RowsField } from "./RowsField";
import { fill, useSample } from "./sample";
import { TemplateText } from "./TemplateText";

type Kind = "text" | "flex" | "image" | "sticker" | "other";

const begins: Record<Kind, Row> = {
    text: { type: "text", text: "" },
    flex: messageOf({ altText: "", cards: [freshCard] }),
    image: { type: "image", originalContentUrl: "", previewImageUrl: "" },
    sticker: { type: "sticker", packageId: "446", stickerId: "1988" },
    other: { type: "location", title: "", address: "", latitude: 13.7563, longitude: 100.5018 },
};

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** Which form a message has; what no form can say stays JSON. */
export function kindOfMessage(message: Row): Kind {
    const keys = Object.keys(message).sort().join(" ");
    if (message.type === "text" && keys === "text type") return "text";
    if (message.type === "flex" && cardsOf(message)) return "flex";
    if (message.type === "image" && keys === "originalContentUrl previewImageUrl type")
        return "image";
    if (message.type === "sticker" && keys === "packageId stickerId type") return "sticker";
    return "other";
}

interface MessageProps {
    message: Row;
    onChange: (message: Row) => void;
}

function MessageFields({ message, onChange }: MessageProps) {
    const t = useWords(builderWords);
    const kind = kindOfMessage(message);
    const cards = kind === "flex" ? cardsOf(message) : undefined;
    const kinds: Record<Kind, string> = {
        text: t("lineText"),
        flex: t("lineFlex"),
        image: t("lineImage"),
        sticker: t("lineSticker"),
        other: "JSON",
    };
    const address = (key: string, label: string) => (
        <TemplateText
            label={label}
            placeholder="https://"
            withAsterisk
            value={text(message[key])}
            onChange={(next) => onChange({ ...message, [key]: next })}
        />
    );
    return (
        <>
            <Select
                aria-label={t("lineKind")}
                data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
                value={kind}
                allowDeselect={false}
                onChange={(next) => next && onChange(structuredClone(begins[next as Kind]))}
            />
            {kind === "text" && (
                <TemplateText
                    long
                    label={t("messageText")}
                    value={text(message.text)}
                    onChange={(next) => onChange({ ...message, text: next })}
                />
            )}
            {cards && <LineCards cards={cards} onChange={(next) => onChange(messageOf(next))} />}
            {kind === "image" && address("originalContentUrl", t("lineImageLarge"))}
            {kind === "image" && address("previewImageUrl", t("lineImageSmall"))}
            {kind === "sticker" &&
                (["packageId", "stickerId"] as const).map((key) => (
                    <TextInput
                        key={key}
                        label={t(key === "packageId" ? "lineStickerPackage" : "lineStickerId")}
                        withAsterisk
                        value={text(message[key])}
                        onChange={(event) =>
                            onChange({ ...message, [key]: event.currentTarget.value })
                        }
                    />
                ))}
            {kind === "other" && (
                <JsonField
                    name={t("messages")}
                    value={message}
                    onChange={(next) => onChange((next ?? {}) as Row)}
                />
            )}
        </>
    );
}

interface Props {
    messages: unknown;
    onChange: (messages: unknown) => void;
}

/** Messages of LINE, each as a form, and as the sample would see them. */
export function LineMessages({ messages, onChange }: Props) {
    const t = useWords(builderWords);
    const { values } = useSample();
    const rows = Array.isArray(messages) ? (messages as Row[]) : [];
    if (!Array.isArray(messages) || rows.some((row) => typeof row !== "object" || !row)) {
        return <JsonField name={t("messages")} value={messages} onChange={onChange} />;
    }
    const drawn = rows.some((row) => kindOfMessage(row) === "flex");
    return (
        <>
            <RowsField
                label={t("messages")}
                description={t("messagesHelp")}
                rows={rows}
                fresh={begins.text}
                atLeast={1}
                onChange={onChange}
                row={(row, _, index) => (
                    <MessageFields
                        message={row}
                        onChange={(next) =>
                            onChange(rows.map((one, i) => (i === index ? next : one)))
                        }
                    />
                )}
            />
            {drawn && (
                <Input.Wrapper label={t("linePreview")} labelElement="div">
                    <div data-line-preview>
                        <Preview messages={mapTexts(rows, (one) => fill(one, values))} />
                    </div>
                </Input.Wrapper>
            )}
        </>
    );
}
