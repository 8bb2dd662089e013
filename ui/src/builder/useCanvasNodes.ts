import { applyNodeChanges, type NodeChange } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { flowNodes } from "./flow";
import { changeNote, type Draft } from "./graph";
import type { Marks } from "./marks";
import type { NoteFlowNode } from "./NoteNode";
import type { Problem } from "./problems";
import type { StepFlowNode } from "./step";
import { useChange, useDraft } from "./store";
import { useTools } from "./types";

export type CanvasNode = StepFlowNode | NoteFlowNode;

const notePrefix = "note:";
export const noteId = (id: string) => `${notePrefix}${id}`;
/** The note that a node of the canvas is; none: it is a step. */
export const noteOf = (id: string) =>
    id.startsWith(notePrefix) ? id.slice(notePrefix.length) : undefined;

const flowNotes = (draft: Draft): NoteFlowNode[] =>
    draft.notes.map((note) => ({
        id: noteId(note.id),
        type: "note" as const,
        position: { x: note.x, y: note.y },
        data: { id: note.id, text: note.text, readOnly: false },
    }));

/** What was drawn before stays the same object where nothing has changed. */
function merge(before: CanvasNode[], drawn: CanvasNode[], selected: Set<string>): CanvasNode[] {
    const known = new Map(before.map((node) => [node.id, node]));
    return drawn.map((node) => {
        const old = known.get(node.id);
        const chosen = selected.has(node.id);
        const still =
            old &&
            (old.selected ?? false) === chosen &&
            old.position.x === node.position.x &&
            old.position.y === node.position.y &&
            (old.data === node.data || (node.type === "note" && old.data.text === node.data.text));
        if (still) return old;
        const measured = old?.measured ? { measured: old.measured } : {};
        return { ...node, ...measured, selected: chosen } as CanvasNode;
    });
}

function moveAll(draft: Draft, moved: CanvasNode[]): Draft {
    let next = draft;
    for (const { id, position } of moved) {
        const note = noteOf(id);
        const was = note
            ? draft.notes.find((one) => one.id === note)
            : (draft.positions[id] ?? undefined);
        if (!was || (was.x === position.x && was.y === position.y)) continue;
        next = note
            ? changeNote(next, note, position)
            : { ...next, positions: { ...next.positions, [id]: position } };
    }
    return next;
}

interface Options {
    problems: Problem[];
    marks: Marks;
    selected: string[];
    onSelect: (ids: string[]) => void;
}

/** The steps and notes of the draft as the canvas draws them, also while they are dragged. */
export function useCanvasNodes({ problems, marks, selected, onSelect }: Options) {
    const draft = useDraft();
    const change = useChange();
    const { types } = useTools();
    const [nodes, setNodes] = useState<CanvasNode[]>([]);
    const drawn = useMemo(
        () => [...flowNodes(draft, { types, problems, ...marks }), ...flowNotes(draft)],
        [draft, types, problems, marks],
    );
    useEffect(() => {
        setNodes((before) => merge(before, drawn, new Set(selected)));
    }, [drawn, selected]);
    const onNodesChange = useCallback(
        (changes: NodeChange<CanvasNode>[]) => {
            setNodes((before) => applyNodeChanges(changes, before));
            const picks = changes.filter((one) => one.type === "select");
            if (picks.length === 0) return;
            const chosen = new Set(selected);
            for (const one of picks) {
                if (one.selected) chosen.add(one.id);
                else chosen.delete(one.id);
            }
            onSelect([...chosen]);
        },
        [onSelect, selected],
    );
    const onNodeDragStop = useCallback(
        (_: unknown, __: unknown, moved: CanvasNode[]) => change((old) => moveAll(old, moved)),
        [change],
    );
    const onSelectionDragStop = useCallback(
        (_: unknown, moved: CanvasNode[]) => change((old) => moveAll(old, moved)),
        [change],
    );
    return { nodes, onNodesChange, onNodeDragStop, onSelectionDragStop };
}
