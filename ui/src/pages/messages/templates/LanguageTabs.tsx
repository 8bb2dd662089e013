import { ActionIcon, Button, Group, Popover, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { messagesWords } from "../words";

interface Props {
    languages: string[];
    current: string;
    /** Languages with something wrong in them. */
    wrong: string[];
    onChoose: (language: string) => void;
    onAdd: (language: string) => void;
    onDrop: (language: string) => void;
    readOnly: boolean;
}

const rule = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/;

/** Which language is edited; others are added and taken away. */
export function LanguageTabs(props: Props) {
    const { languages, current, wrong, onChoose, onAdd, onDrop, readOnly } = props;
    const t = useWords(messagesWords);
    const common = useWords(commonWords);
    const [adding, setAdding] = useState<string>();
    const fits = adding !== undefined && rule.test(adding) && !languages.includes(adding);
    return (
        <Group gap={4} role="group" aria-label={t("languages")}>
            {languages.map((one) => (
                <Button
                    key={one}
                    variant={one === current ? "light" : "subtle"}
                    color={wrong.includes(one) ? "red" : "pawl"}
                    aria-pressed={one === current}
                    onClick={() => onChoose(one)}
                >
                    {one}
                </Button>
            ))}
            {!readOnly && (
                <Popover
                    opened={adding !== undefined}
                    onChange={(open) => !open && setAdding(undefined)}
                    trapFocus
                >
                    <Popover.Target>
                        <Hint label={t("addLanguage")}>
                            <ActionIcon aria-label={t("addLanguage")} onClick={() => setAdding("")}>
                                <IconPlus size={14} />
                            </ActionIcon>
                        </Hint>
                    </Popover.Target>
                    <Popover.Dropdown>
                        <form
                            onSubmit={(event) => {
                                event.preventDefault();
                                if (!fits) return;
                                onAdd(adding);
                                setAdding(undefined);
                            }}
                        >
                            <Group gap="xs" align="end">
                                <TextInput
                                    data-autofocus
                                    w={110}
                                    label={t("language")}
                                    placeholder="th"
                                    value={adding ?? ""}
                                    onChange={(event) => setAdding(event.currentTarget.value)}
                                />
                                <Button type="submit" disabled={!fits}>
                                    {t("add")}
                                </Button>
                            </Group>
                        </form>
                    </Popover.Dropdown>
                </Popover>
            )}
            {!readOnly && languages.length > 1 && (
                <Hint label={`${common("remove")}: ${current}`}>
                    <ActionIcon
                        aria-label={`${common("remove")}: ${current}`}
                        onClick={() => onDrop(current)}
                    >
                        <IconX size={14} />
                    </ActionIcon>
                </Hint>
            )}
        </Group>
    );
}
