import { Background, Controls, MiniMap, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useWords } from "@/words";
import classes from "./Canvas.module.css";
import { flowEdges } from "./flow";
import type { Marks } from "./marks";
import { NoteNode } from "./NoteNode";
import { StepEdge } from "./StepEdge";
import { StepNode } from "./StepNode";
import { SightProvider } from "./sight";
import { useDraft } from "./store";
import { useTools } from "./types";
import { type CanvasNode, useCanvasNodes } from "./useCanvasNodes";
import { useGestures } from "./useGestures";
import type { Problem } from "./useProblems";
import { useViewport } from "./useViewport";
import { builderWords } from "./words";

const nodeTypes = { step: StepNode, note: NoteNode };
const edgeTypes = { step: StepEdge };
// The same objects at each frame of a drag: what is new there makes all steps and edges look anew.
const addKeys = ["Shift", "Meta", "Control"];
const grid: [number, number] = [8, 8];
const fit = { maxZoom: 1, padding: 0.2 };
const pro = { hideAttribution: true };

interface Props {
    problems: Problem[];
    marks: Marks;
    selected: string[];
    onSelect: (ids: string[]) => void;
    edge: string | undefined;
    onSelectEdge: (id: string | undefined) => void;
}

/** The graph as people draw it. A drag is one step of undo, however long it takes. */
export function Canvas({ problems, marks, selected, onSelect, edge, onSelectEdge }: Props) {
    const t = useWords(builderWords);
    const { colorScheme } = useMantineColorScheme();
    const draft = useDraft();
    const { types } = useTools();
    const gestures = useGestures(onSelectEdge);
    const { nodes, ...dragged } = useCanvasNodes({
        problems,
        marks,
        selected,
        onSelect,
    });
    const view = useViewport(draft.definition.name);
    const edges = useMemo(() => flowEdges(draft, { types, ...marks }), [draft, types, marks]);
    const drawn = useMemo(
        () => edges.map((one) => (one.id === edge ? { ...one, selected: true } : one)),
        [edges, edge],
    );
    return (
        <div
            className={classes.canvas}
            role="application"
            aria-label={t("canvas")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys work while it has the focus
            tabIndex={0}
            data-canvas
        >
            <SightProvider>
                <ReactFlow<CanvasNode>
                    nodes={nodes}
                    edges={drawn}
                    nodeTypes={nodeTypes}
                    edgeTypes={edgeTypes}
                    {...dragged}
                    {...gestures}
                    colorMode={colorScheme === "auto" ? "system" : colorScheme}
                    deleteKeyCode={null}
                    disableKeyboardA11y
                    nodesFocusable={false}
                    edgesFocusable={false}
                    selectionKeyCode="Shift"
                    multiSelectionKeyCode={addKeys}
                    snapToGrid
                    snapGrid={grid}
                    minZoom={0.1}
                    maxZoom={2}
                    onlyRenderVisibleElements={draft.definition.nodes.length > 100}
                    {...view}
                    fitViewOptions={fit}
                    proOptions={pro}
                >
                    <Background gap={16} />
                    <Controls showInteractive={false} />
                    {draft.definition.nodes.length > 12 && (
                        <MiniMap pannable zoomable className={classes.map ?? ""} />
                    )}
                </ReactFlow>
            </SightProvider>
        </div>
    );
}
