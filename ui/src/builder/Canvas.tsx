import { Background, Controls, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import { useMemo } from "react";
import { useGraphLabels } from "@/components/graphLabels";
import { useWords } from "@/words";
import classes from "./Canvas.module.css";
import { FarEdges } from "./FarEdges";
import { flowEdges } from "./flow";
import { GraphMap } from "./GraphMap";
import type { Marks } from "./marks";
import { NoteNode } from "./NoteNode";
import type { Problem } from "./problems";
import { StepEdge, type StepFlowEdge } from "./StepEdge";
import { StepNode } from "./StepNode";
import { SightProvider, useFar } from "./sight";
import { useDraft } from "./store";
import { useTools } from "./types";
import { type CanvasNode, useCanvasNodes } from "./useCanvasNodes";
import { useGestures } from "./useGestures";
import { useViewport } from "./useViewport";
import { builderWords } from "./words";

const nodeTypes = { step: StepNode, note: NoteNode };
const edgeTypes = { step: StepEdge };
// The same objects at each frame of a drag: what is new there makes all steps and edges look anew.
const addKeys = ["Shift", "Meta", "Control"];
const grid: [number, number] = [8, 8];
const fit = { maxZoom: 1, padding: 0.2 };
const pro = { hideAttribution: true };
const none: StepFlowEdge[] = [];
/** From so many steps on, only what is in sight is drawn, and less of it from far away. */
const large = 100;

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
    const labels = useGraphLabels();
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
    const isLarge = draft.definition.nodes.length > large;
    const far = useFar() && isLarge;
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
                    edges={far ? none : drawn}
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
                    onlyRenderVisibleElements={isLarge}
                    {...view}
                    fitViewOptions={fit}
                    proOptions={pro}
                    ariaLabelConfig={labels}
                >
                    {far && <FarEdges edges={drawn} />}
                    <Background gap={16} />
                    <Controls showInteractive={false} />
                    {draft.definition.nodes.length > 12 && <GraphMap />}
                </ReactFlow>
            </SightProvider>
        </div>
    );
}
