import type { Node, NodeProps } from "@xyflow/react";
import { memo, useState } from "react";
import { useWords } from "@/words";
import classes from "./NoteNode.module.css";
import { useTools } from "./types";
import { builderWords } from "./words";

export interface NoteData extends Record<string, unknown> {
    id: string;
    text: string;
    readOnly: boolean;
}

export type NoteFlowNode = Node<NoteData, "note">;

/** A note on the canvas, for other people. It belongs to the layout, not to the workflow. */
export const NoteNode = memo(function NoteNode({ data, selected }: NodeProps<NoteFlowNode>) {
    const t = useWords(builderWords);
    const { writeNote } = useTools();
    const [typed, setTyped] = useState<string>();
    return (
        <div className={classes.note} data-selected={selected || undefined} data-note={data.id}>
            <textarea
                aria-label={t("note")}
                placeholder={t("noteHere")}
                className={`${classes.text} ${typed === undefined ? "" : "nodrag"}`}
                readOnly={data.readOnly}
                maxLength={4000}
                value={typed ?? data.text}
                onFocus={() => setTyped(data.text)}
                onChange={(event) => setTyped(event.currentTarget.value)}
                onBlur={() => {
                    if (typed !== undefined && typed !== data.text) writeNote?.(data.id, typed);
                    setTyped(undefined);
                }}
            />
        </div>
    );
});
