import { useWords } from "@/words";
import { JsonField } from "../JsonField";
import { builderWords } from "../words";
import { type Row, RowsField } from "./RowsField";
import { TemplateText } from "./TemplateText";

const text = (value: unknown) => (typeof value === "string" ? value : "");

interface Props {
    messages: unknown;
    onChange: (messages: unknown) => void;
}

/** Texts for LINE as fields; what is more than text, as JSON. */
export function LineMessages({ messages, onChange }: Props) {
    const t = useWords(builderWords);
    const rows = Array.isArray(messages) ? (messages as Row[]) : [];
    if (rows.some((row) => row?.type !== "text")) {
        return <JsonField name={t("messages")} value={messages} onChange={onChange} />;
    }
    return (
        <RowsField
            label={t("messages")}
            description={t("messagesHelp")}
            rows={rows}
            fresh={{ type: "text", text: "" }}
            atLeast={1}
            onChange={onChange}
            row={(row, write) => (
                <TemplateText
                    long
                    label={t("messageText")}
                    value={text(row.text)}
                    onChange={(next) => write({ text: next })}
                />
            )}
        />
    );
}
