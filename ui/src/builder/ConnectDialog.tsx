import { Modal, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { canConnect, type Draft, type Place } from "./graph";
import classes from "./StepList.module.css";
import { builderWords } from "./words";

interface Props {
    draft: Draft;
    from: string;
    ways: string[];
    onClose: () => void;
    onPick: (place: Place, to: string) => void;
}

/** Leads a way out to a step that is there, by keyboard. */
export function ConnectDialog({ draft, from, ways, onClose, onPick }: Props) {
    const t = useWords(builderWords);
    const said = useSaid("handle");
    const [way, setWay] = useState(ways[0] ?? "default");
    const [text, setText] = useState("");
    const place = { from, handle: way };
    const targets = draft.definition.nodes
        .filter((node) => canConnect(draft, place, node.id))
        .filter((node) => node.id.toLowerCase().includes(text.trim().toLowerCase()))
        .slice(0, 50);
    const best = targets[0];
    return (
        <Modal opened onClose={onClose} title={t("connectFrom", { id: from })} returnFocus>
            <Stack gap="xs">
                {ways.length > 1 && (
                    <SegmentedControl
                        aria-label={t("wayOut")}
                        data={ways.map((value) => ({ value, label: said(value) }))}
                        value={way}
                        onChange={setWay}
                    />
                )}
                <TextInput
                    data-autofocus
                    label={t("connectTo")}
                    value={text}
                    onChange={(event) => setText(event.currentTarget.value)}
                    onKeyDown={(event) => event.key === "Enter" && best && onPick(place, best.id)}
                />
                <div className={classes.targets}>
                    {targets.map((node) => (
                        <UnstyledButton
                            key={node.id}
                            className={classes.one ?? ""}
                            onClick={() => onPick(place, node.id)}
                        >
                            {node.id}
                        </UnstyledButton>
                    ))}
                    {targets.length === 0 && (
                        <Text size="xs" c="dimmed">
                            {t("noneFound")}
                        </Text>
                    )}
                </div>
            </Stack>
        </Modal>
    );
}
