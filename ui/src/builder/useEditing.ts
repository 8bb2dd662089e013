import { notifications } from "@mantine/notifications";
import { useReactFlow } from "@xyflow/react";
import { say } from "@/words";
import { configOf } from "./fields/defaults";
import {
    addNode,
    addNote,
    copyNodes,
    edgeId,
    pasteNodes,
    removeEdges,
    removeNodes,
    removeNotes,
} from "./graph";
import { handlesOf } from "./handles";
import { makeRoom, nodeHeight, nodeWidth, tidy, tidyNew } from "./layout";
import { toggleOff } from "./off";
import { useBuilder, useHistory } from "./store";
import type { Tools, Types } from "./types";
import { noteId, noteOf } from "./useCanvasNodes";
import { builderWords } from "./words";

export interface Selection {
    selected: string[];
    select: (ids: string[]) => void;
    edge: string | undefined;
    selectEdge: (id: string | undefined) => void;
}

const focusCanvas = () => document.querySelector<HTMLElement>("[data-canvas]")?.focus();

/** Goes into the text of a new note, as soon as the canvas has drawn and measured it. */
function focusNote(id: string, frames = 60): void {
    const text = document.querySelector<HTMLElement>(`[data-note="${id}"] textarea`);
    text?.focus();
    if (frames === 0 || (text && document.activeElement === text)) return;
    requestAnimationFrame(() => focusNote(id, frames - 1));
}

/** What people do to the graph, by mouse and by keyboard. */
export function useEditing(types: Types, { selected, select, edge, selectEdge }: Selection) {
    const store = useBuilder();
    const history = useHistory();
    const flow = useReactFlow();
    const { change } = store.getState();
    const now = () => store.getState().draft;
    const steps = selected.filter((id) => noteOf(id) === undefined);

    /** Moves the canvas so far that a step can be seen. */
    const show = (id: string) => {
        const at = now().positions[id];
        const pane = document.querySelector(".react-flow")?.getBoundingClientRect();
        if (!at || !pane) return;
        const { x, y } = flow.flowToScreenPosition(at);
        const inside =
            x > pane.left &&
            y > pane.top &&
            x + nodeWidth < pane.right &&
            y + 2 * nodeHeight < pane.bottom;
        if (!inside) flow.setCenter(at.x + nodeWidth / 2, at.y, { zoom: flow.getZoom() });
    };
    const pick = (ids: string[]) => {
        select(ids);
        selectEdge(undefined);
        if (ids[0]) show(ids[0]);
    };
    const add: Tools["add"] = (type, where) => {
        const behind = where.after?.from ?? where.into?.from ?? steps[0];
        const near = behind ? now().positions[behind] : undefined;
        const last = Object.values(now().positions).reduce((y, p) => Math.max(y, p.y), 0);
        const free = { x: near?.x ?? 0, y: (near?.y ?? last) + nodeHeight + 64 };
        const config = configOf(types[type]);
        const room = where.into ? makeRoom(now(), where.into) : { draft: now(), at: free };
        const at = where.at ?? room.at;
        const handle = handlesOf({ id: "", type, config }, types[type])[0] ?? "";
        const made = addNode(room.draft, { type, config, handle, ...where, at });
        change(() => ({ ...made.draft, positions: tidyNew(made.draft, made.id) }));
        pick([made.id]);
    };
    const remove = () => {
        const notes = selected.map(noteOf).filter((id) => id !== undefined);
        change((old) => {
            if (edge) return removeEdges(old, [edge]);
            const rest = steps.length > 0 ? removeNodes(old, steps) : old;
            return notes.length > 0 ? removeNotes(rest, notes) : rest;
        });
        // What led to it is where a person goes on.
        const before = now().definition.edges.find((one) => edgeId(one) === edge)?.from;
        pick(before ? [before] : []);
        focusCanvas();
    };
    const paste = (text: string) => {
        const made = pasteNodes(now(), text);
        if (made.ids.length === 0) return false;
        change(() => made.draft);
        pick(made.ids);
        return true;
    };
    const arrange = () => {
        change((old) => ({ ...old, positions: tidy(old.definition) }));
        requestAnimationFrame(() => flow.fitView({ maxZoom: 1, padding: 0.2 }));
    };
    const centre = (id: string) => {
        const at = now().positions[id];
        if (at)
            flow.setCenter(at.x + nodeWidth / 2, at.y + nodeHeight / 2, { duration: 200, zoom: 1 });
    };
    const note = () => {
        const pane = document.querySelector(".react-flow")?.getBoundingClientRect();
        const at = pane
            ? flow.screenToFlowPosition({ x: pane.left + 40, y: pane.top + 40 })
            : { x: 0, y: 0 };
        const made = addNote(now(), at);
        change(() => made.draft);
        pick([noteId(made.id)]);
        focusNote(made.id);
    };
    const move = (dx: number, dy: number) =>
        change((old) => {
            const positions = { ...old.positions };
            for (const id of steps) {
                const at = positions[id];
                if (at) positions[id] = { x: at.x + dx, y: at.y + dy };
            }
            return { ...old, positions };
        });
    const switchOff = () => {
        const { draft, problem } = toggleOff(now(), steps);
        change(() => draft);
        if (problem) notifications.show({ message: say(builderWords, problem), color: "yellow" });
    };
    const copy = () => (steps.length > 0 ? copyNodes(now(), steps) : undefined);
    return {
        add,
        remove,
        arrange,
        centre,
        note,
        move,
        switchOff,
        copy,
        paste,
        pick,
        write: change,
        history,
        now,
        flow,
        steps,
    };
}

export type Editing = ReturnType<typeof useEditing>;
export { focusCanvas };
