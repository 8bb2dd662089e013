import {
    applyNodeChanges,
    Background,
    Controls,
    MiniMap,
    type NodeChange,
    ReactFlow,
    useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useMantineColorScheme } from "@mantine/core";
import { type DragEvent, useCallback, useEffect, useMemo, useState } from "react";
import { useWords } from "@/words";
import classes from "./Canvas.module.css";
import { flowEdges, flowNodes } from "./flow";
import { canConnect, connect, removeEdges } from "./graph";
import { StepEdge } from "./StepEdge";
import { dragKind } from "./StepList";
import { type StepFlowNode, StepNode } from "./StepNode";
import { useChange, useDraft } from "./store";
import { useTools } from "./types";
import type { Problem } from "./useProblems";
import { builderWords } from "./words";

const nodeTypes = { step: StepNode };
const edgeTypes = { step: StepEdge };

interface Props {
    problems: Problem[];
    selected: string[];
    onSelect: (ids: string[]) => void;
    edge: string | undefined;
    onSelectEdge: (id: string | undefined) => void;
}

/** The graph as people draw it. A drag is one step of undo, however long it takes. */
export function Canvas({ problems, selected, onSelect, edge, onSelectEdge }: Props) {
    const t = useWords(builderWords);
    const { colorScheme } = useMantineColorScheme();
    const draft = useDraft();
    const change = useChange();
    const { types, add } = useTools();
    const flow = useReactFlow();
    const [nodes, setNodes] = useState<StepFlowNode[]>([]);
    const drawn = useMemo(() => flowNodes(draft, { types, problems }), [draft, types, problems]);
    useEffect(() => {
        setNodes((before) => {
            const known = new Map(before.map((node) => [node.id, node]));
            return drawn.map((node) => {
                const old = known.get(node.id);
                const measured = old?.measured ? { measured: old.measured } : {};
                return { ...node, ...measured, selected: selected.includes(node.id) };
            });
        });
    }, [drawn, selected]);
    const edges = useMemo(
        () => flowEdges(draft, { types }).map((one) => ({ ...one, selected: one.id === edge })),
        [draft, types, edge],
    );

    const onNodesChange = useCallback(
        (changes: NodeChange<StepFlowNode>[]) => {
            setNodes((before) => applyNodeChanges(changes, before));
            const picks = changes.filter((one) => one.type === "select");
            if (picks.length > 0) {
                const chosen = new Set(selected);
                for (const one of picks) {
                    if (one.selected) chosen.add(one.id);
                    else chosen.delete(one.id);
                }
                onSelect([...chosen]);
            }
        },
        [onSelect, selected],
    );
    const onDragStop = (_: unknown, __: unknown, moved: StepFlowNode[]) =>
        change((old) => {
            const places = moved.map((node) => [node.id, node.position] as const);
            const same = places.every(([id, at]) => {
                const was = old.positions[id];
                return was && was.x === at.x && was.y === at.y;
            });
            return same
                ? old
                : { ...old, positions: { ...old.positions, ...Object.fromEntries(places) } };
        });
    const onDrop = (event: DragEvent) => {
        const type = event.dataTransfer.getData(dragKind);
        if (!type) return;
        event.preventDefault();
        add(type, { at: flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
    };
    return (
        <div className={classes.canvas} role="application" aria-label={t("canvas")}>
            <ReactFlow
                nodes={nodes}
                edges={edges}
                nodeTypes={nodeTypes}
                edgeTypes={edgeTypes}
                onNodesChange={onNodesChange}
                onNodeDragStop={onDragStop}
                onSelectionDragStop={(event, moved) =>
                    onDragStop(event, null, moved as StepFlowNode[])
                }
                onEdgeClick={(_, one) => onSelectEdge(one.id)}
                onPaneClick={() => onSelectEdge(undefined)}
                onConnect={({ source, sourceHandle, target }) =>
                    change((old) =>
                        connect(old, { from: source, handle: sourceHandle ?? "default" }, target),
                    )
                }
                isValidConnection={({ source, sourceHandle, target }) =>
                    canConnect(draft, { from: source, handle: sourceHandle ?? "default" }, target)
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
                multiSelectionKeyCode={["Shift", "Meta", "Control"]}
                snapToGrid
                snapGrid={[8, 8]}
                minZoom={0.1}
                maxZoom={2}
                onlyRenderVisibleElements={draft.definition.nodes.length > 150}
                fitView
                fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
                proOptions={{ hideAttribution: true }}
            >
                <Background gap={16} />
                <Controls showInteractive={false} />
                <MiniMap pannable zoomable className={classes.map ?? ""} />
            </ReactFlow>
        </div>
    );
}
