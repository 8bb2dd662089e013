import {
    Background,
    Controls,
    MiniMap,
    ReactFlow,
    type ReactFlowProps,
    useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import { type DragEvent, useMemo } from "react";
import { useWords } from "@/words";
import classes from "./Canvas.module.css";
import { flowEdges } from "./flow";
import { canConnect, connect, removeEdges } from "./graph";
import type { Marks } from "./marks";
import { NoteNode } from "./NoteNode";
import { StepEdge } from "./StepEdge";
import { dragKind } from "./StepList";
import { StepNode } from "./StepNode";
import { useBuilder, useChange, useDraft } from "./store";
import { useTools } from "./types";
import { type CanvasNode, useCanvasNodes } from "./useCanvasNodes";
import type { Problem } from "./useProblems";
import { useViewport } from "./useViewport";
import { builderWords } from "./words";

const nodeTypes = { step: StepNode, note: NoteNode };
const edgeTypes = { step: StepEdge };

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
    const store = useBuilder();
    const draft = useDraft();
    const change = useChange();
    const { types, add, offer } = useTools();
    const flow = useReactFlow();
    const { nodes, onNodesChange, onDragStop } = useCanvasNodes({
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
    const onDrop = (event: DragEvent) => {
        const type = event.dataTransfer.getData(dragKind);
        if (!type) return;
        event.preventDefault();
        add(type, { at: flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
    };
    // An edge that ends nowhere asks what should be there.
    const onConnectEnd: ReactFlowProps["onConnectEnd"] = (event, drag) => {
        if (drag.toNode || drag.toHandle || drag.fromHandle?.type !== "source") return;
        const at = "changedTouches" in event ? event.changedTouches[0] : event;
        if (!at || !drag.fromNode) return;
        const after = { from: drag.fromNode.id, handle: drag.fromHandle.id ?? "default" };
        const point = { x: at.clientX, y: at.clientY };
        offer?.({ after, at: flow.screenToFlowPosition(point) }, point);
    };
    return (
        <div
            className={classes.canvas}
            role="application"
            aria-label={t("canvas")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys work while it has the focus
            tabIndex={0}
            data-canvas
        >
            <ReactFlow<CanvasNode>
                nodes={nodes}
                edges={drawn}
                nodeTypes={nodeTypes}
                edgeTypes={edgeTypes}
                onNodesChange={onNodesChange}
                onNodeDragStop={(_, __, moved) => onDragStop(moved)}
                onSelectionDragStop={(_, moved) => onDragStop(moved)}
                onEdgeClick={(_, one) => onSelectEdge(one.id)}
                onPaneClick={() => onSelectEdge(undefined)}
                onConnect={({ source, sourceHandle, target }) =>
                    change((old) =>
                        connect(old, { from: source, handle: sourceHandle ?? "default" }, target),
                    )
                }
                onConnectEnd={onConnectEnd}
                isValidConnection={({ source, sourceHandle, target }) =>
                    canConnect(
                        store.getState().draft,
                        { from: source, handle: sourceHandle ?? "default" },
                        target,
                    )
                }
                onReconnect={(old, to) =>
                    change((now) =>
                        connect(
                            removeEdges(now, [old.id]),
                            { from: to.source, handle: to.sourceHandle ?? "default" },
                            to.target,
                        ),
                    )
                }
                onDragOver={(event) => event.preventDefault()}
                onDrop={onDrop}
                colorMode={colorScheme === "auto" ? "system" : colorScheme}
                deleteKeyCode={null}
                disableKeyboardA11y
                nodesFocusable={false}
                edgesFocusable={false}
                selectionKeyCode="Shift"
                multiSelectionKeyCode={["Shift", "Meta", "Control"]}
                snapToGrid
                snapGrid={[8, 8]}
                minZoom={0.1}
                maxZoom={2}
                onlyRenderVisibleElements={draft.definition.nodes.length > 100}
                {...view}
                fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
                proOptions={{ hideAttribution: true }}
            >
                <Background gap={16} />
                <Controls showInteractive={false} />
                {draft.definition.nodes.length > 12 && (
                    <MiniMap pannable zoomable className={classes.map ?? ""} />
                )}
            </ReactFlow>
        </div>
    );
}
