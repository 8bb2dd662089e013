import { ActionIcon, Button, Group } from "@mantine/core";
import {
    IconArrowBackUp,
    IconArrowForwardUp,
    IconLayoutDistributeVertical,
    IconNote,
    IconPlus,
    IconTrash,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyMenu } from "@/components/CopyMenu";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import classes from "./Builder.module.css";
import { draftCopies } from "./copies";
import { useDraft } from "./store";
import type { Editing } from "./useEditing";
import { builderWords } from "./words";

interface Props {
    editing: Editing;
    /** How many things are selected. */
    chosen: number;
    /** Of the draft as it was saved last. */
    etag: () => string | undefined;
    onAdd: (from: string | undefined, ways: string[]) => void;
}

/** What can be done to the whole graph, or to what is selected. */
export function ToolBar({ editing, chosen, etag, onAdd }: Props) {
    const t = useWords(builderWords);
    const { history } = editing;
    const { name } = useDraft().definition;
    const tool = (label: string, icon: ReactNode, run: () => void, disabled = false) => (
        <Hint label={label}>
            <ActionIcon variant="default" aria-label={label} onClick={run} disabled={disabled}>
                {icon}
            </ActionIcon>
        </Hint>
    );
    return (
        <Group gap={4}>
            <ActionIcon
                variant="default"
                aria-label={t("add")}
                className={classes.addSmall ?? ""}
                onClick={() => onAdd(editing.steps[0], [])}
            >
                <IconPlus size={16} />
            </ActionIcon>
            {tool(t("undo"), <IconArrowBackUp size={16} />, history.undo, history.past === 0)}
            {tool(t("redo"), <IconArrowForwardUp size={16} />, history.redo, history.future === 0)}
            {tool(t("tidy"), <IconLayoutDistributeVertical size={16} />, editing.arrange)}
            {tool(t("addNote"), <IconNote size={16} />, editing.note)}
            <CopyMenu {...draftCopies(name, editing.now, etag)} />
            {chosen > 0 && (
                <Button
                    variant="default"
                    leftSection={<IconTrash size={14} />}
                    onClick={editing.remove}
                    title={t("remove")}
                >
                    {t("removeShort", { count: chosen })}
                </Button>
            )}
        </Group>
    );
}
