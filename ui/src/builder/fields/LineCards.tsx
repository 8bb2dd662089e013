import { Group, Select } from "@mantine/core";
import { useWords } from "@/words";
import { builderWords } from "../words";
import { type Card, type CardButton, type Cards, freshCard } from "./lineCard";
import { type Row, RowsField } from "./RowsField";
import { TemplateText } from "./TemplateText";

interface CardProps {
    card: Card;
    onChange: (part: Partial<Card>) => void;
}

function CardFields({ card, onChange }: CardProps) {
    const t = useWords(builderWords);
    return (
        <>
            <TemplateText
                label={t("cardPicture")}
                placeholder="https://"
                value={card.picture}
                onChange={(picture) => onChange({ picture })}
            />
            <TemplateText
                label={t("title")}
                value={card.title}
                onChange={(title) => onChange({ title })}
            />
            <TemplateText
                long
                label={t("messageText")}
                value={card.text}
                onChange={(text) => onChange({ text })}
            />
            <RowsField
                label={t("cardButtons")}
                rows={card.buttons as unknown as Row[]}
                fresh={{ label: "", kind: "uri", does: "" }}
                onChange={(rows) => onChange({ buttons: rows as unknown as CardButton[] })}
                row={(row, write) => (
                    <>
                        <TemplateText
                            label={t("cardLabel")}
                            value={String(row.label)}
                            onChange={(label) => write({ label })}
                        />
                        <Group gap={6} wrap="nowrap" align="flex-start" grow>
                            <Select
                                label={t("cardDoes")}
                                data={[
                                    { value: "uri", label: t("cardOpens") },
                                    { value: "message", label: t("cardSays") },
                                ]}
                                value={String(row.kind)}
                                allowDeselect={false}
                                onChange={(kind) => write({ kind })}
                            />
                            <TemplateText
                                label={t(row.kind === "uri" ? "cardAddress" : "cardWords")}
                                placeholder={row.kind === "uri" ? "https://" : ""}
                                value={String(row.does)}
                                onChange={(does) => write({ does })}
                            />
                        </Group>
                    </>
                )}
            />
        </>
    );
}

/** LINE takes so many side by side. */
const most = 12;

interface Props {
    cards: Cards;
    onChange: (cards: Cards) => void;
}

/** A flex message as a form: one card, or several side by side. */
export function LineCards({ cards, onChange }: Props) {
    const t = useWords(builderWords);
    return (
        <>
            <TemplateText
                label={t("cardAlt")}
                description={t("cardAltHelp")}
                withAsterisk
                value={cards.altText}
                onChange={(altText) => onChange({ ...cards, altText })}
            />
            <RowsField
                label={t("cards")}
                rows={cards.cards as unknown as Row[]}
                fresh={freshCard as unknown as Row}
                atLeast={1}
                onChange={(rows) =>
                    onChange({ ...cards, cards: (rows as unknown as Card[]).slice(0, most) })
                }
                row={(row, write) => (
                    <CardFields
                        card={row as unknown as Card}
                        onChange={(part) => write({ ...part })}
                    />
                )}
            />
        </>
    );
}
