import { useReactFlow } from "@xyflow/react";
import { useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { addNode, copyNodes, pasteNodes, removeEdges, removeNodes } from "./graph";
import { nodeHeight, nodeWidth, tidy } from "./layout";
import { useBuilder, useHistory } from "./store";
import type { Tools, Types } from "./types";
import { builderWords } from "./words";

interface Selection {
    selected: string[];
    select: (ids: string[]) => void;
    edge: string | undefined;
    selectEdge: (id: string | undefined) => void;
}

/** What people do to the graph, by mouse and by keyboard. */
export function useEditing(types: Types, { selected, select, edge, selectEdge }: Selection) {
    const t = useWords(builderWords);
    const store = useBuilder();
    const history = useHistory();
    const flow = useReactFlow();
    const { change } = store.getState();
    const now = () => store.getState().draft;

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
    const add: Tools["add"] = (type, where) => {
        const behind = where.after?.from ?? where.into?.from ?? selected[0];
        const near = behind ? now().positions[behind] : undefined;
        const last = Object.values(now().positions).reduce((y, p) => Math.max(y, p.y), 0);
        const at = where.at ?? { x: near?.x ?? 0, y: (near?.y ?? last) + nodeHeight + 64 };
        const config = structuredClone(types[type]?.example?.config ?? {});
        const made = addNode(now(), { type, config, at, ...where });
        change(() => made.draft);
        select([made.id]);
        selectEdge(undefined);
        show(made.id);
    };
    const remove = () => {
        if (edge) change((old) => removeEdges(old, [edge]));
        else if (selected.length > 0) change((old) => removeNodes(old, selected));
        select([]);
        selectEdge(undefined);
    };
    const paste = (text: string) => {
        const made = pasteNodes(now(), text);
        if (made.ids.length === 0) return;
        change(() => made.draft);
        select(made.ids);
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
    useShortcuts(t("keys"), [
        { keys: "mod+z", label: t("undo"), run: history.undo },
        { keys: "mod+Z", label: t("redo"), run: history.redo },
        { keys: "mod+y", label: t("redo"), run: history.redo },
        { keys: "Delete", label: t("remove"), run: remove },
        { keys: "Backspace", label: t("remove"), run: remove },
        {
            keys: "mod+c",
            label: t("copyNodes"),
            run: () => void navigator.clipboard?.writeText(copyNodes(now(), selected)),
        },
        {
            keys: "mod+v",
            label: t("pasteNodes"),
            run: () => void navigator.clipboard?.readText().then(paste),
        },
        { keys: "mod+d", label: t("duplicate"), run: () => paste(copyNodes(now(), selected)) },
        {
            keys: "mod+a",
            label: t("selectAll"),
            run: () => select(now().definition.nodes.map((node) => node.id)),
        },
        { keys: "t", label: t("tidy"), run: arrange },
        { keys: "1", label: t("fit"), run: () => void flow.fitView({ maxZoom: 1, padding: 0.2 }) },
    ]);
    return { add, remove, arrange, centre, history };
}
