import { ScrollArea, Text, TextInput, ThemeIcon, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "@/words";
import type { NodeType } from "./handles";
import { StepIcon, toneOf } from "./icons";
import classes from "./StepList.module.css";
import { offered, useTools } from "./types";
import { builderWords } from "./words";

interface Props {
    /** It will stand between other steps. */
    inside?: boolean;
    /** It will stand on an edge, which must lead on behind it. */
    between?: boolean;
    /** They can be dragged onto the canvas. */
    draggable?: boolean;
    height?: number | string;
    onPick: (type: string) => void;
}

export const dragKind = "application/pawl-step";

/** How well a step is what someone looks for; 0: not at all. */
function fitOf(type: NodeType, wanted: string): number {
    const title = type.title.toLowerCase();
    if (title === wanted || type.type === wanted) return 4;
    if (title.startsWith(wanted) || type.type.startsWith(wanted)) return 3;
    if (title.includes(wanted)) return 2;
    return type.description.toLowerCase().includes(wanted) ? 1 : 0;
}

/** The steps that can be added, with a search: the first one is taken with Enter. */
export function StepList(props: Props) {
    const { inside = false, between = false, draggable = false, height = 320, onPick } = props;
    const t = useWords(builderWords);
    const { types } = useTools();
    const [text, setText] = useState("");
    const wanted = text.trim().toLowerCase();
    const found = offered(types, inside, between)
        .map((type) => ({ type, fit: fitOf(type, wanted) }))
        .filter(({ fit }) => fit > 0)
        .sort((a, b) => b.fit - a.fit)
        .map(({ type }) => type);
    const enter = (event: KeyboardEvent) => {
        const best = found[0];
        if (event.key === "Enter" && best) onPick(best.type);
    };
    return (
        <div className={classes.list} data-palette={draggable || undefined}>
            <TextInput
                className={classes.search ?? ""}
                data-autofocus={inside || undefined}
                leftSection={<IconSearch size={14} />}
                placeholder={t("search")}
                aria-label={t("search")}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                onKeyDown={enter}
            />
            <ScrollArea.Autosize mah={height} type="auto" scrollbarSize={6}>
                {found.map((type) => (
                    <UnstyledButton
                        key={type.type}
                        className={classes.one ?? ""}
                        aria-label={type.title}
                        title={`${type.title}: ${type.description}`}
                        draggable={draggable}
                        onDragStart={(event) => event.dataTransfer.setData(dragKind, type.type)}
                        onClick={() => onPick(type.type)}
                    >
                        <ThemeIcon size={22} variant="light" color={toneOf(type.type)} radius="sm">
                            <StepIcon type={type.type} size={14} />
                        </ThemeIcon>
                        <span className={`${classes.name} truncate`}>{type.title}</span>
                    </UnstyledButton>
                ))}
                {found.length === 0 && (
                    <Text size="xs" c="dimmed" p="xs">
                        {t("noneFound")}
                    </Text>
                )}
            </ScrollArea.Autosize>
        </div>
    );
}
