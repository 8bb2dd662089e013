import { useMantineColorScheme } from "@mantine/core";
import { Background, Controls, ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useEffect, useMemo, useRef } from "react";
import { flowEdges, flowNodes } from "@/builder/flow";
import type { Definition, Layout } from "@/builder/graph";
import { draftOf } from "@/builder/layout";
import { StepEdge } from "@/builder/StepEdge";
import { SightProvider } from "@/builder/sight";
import { ToolsContext, type Types } from "@/builder/types";
import { builderWords } from "@/builder/words";
import { useGraphLabels } from "@/components/graphLabels";
import { useWords } from "@/words";
import { CountedNode } from "./CountedNode";
import type { Marks } from "./marks";
import classes from "./WorkflowGraph.module.css";

const nodeTypes = { step: CountedNode };
const edgeTypes = { step: StepEdge };

interface Props {
    definition: Definition;
    layout?: Layout | null | undefined;
    types: Types;
    /** How many wait at each node. */
    waiting?: Record<string, number>;
    /** How often each edge was taken, by its id. */
    taken?: Record<string, number>;
    marks?: Marks;
    selected?: string | undefined;
    onSelect?: (node: string) => void;
}

/** The graph of a workflow to look at, with what is known of its nodes and edges. */
export function WorkflowGraph(props: Props) {
    const { definition, layout, types, waiting, taken, marks, selected, onSelect } = props;
    const t = useWords(builderWords);
    const labels = useGraphLabels();
    const { colorScheme } = useMantineColorScheme();
    const draft = useMemo(() => draftOf(definition, layout), [definition, layout]);
    const tools = useMemo(() => ({ types, add: () => undefined }), [types]);
    const nodes = useMemo(
        () =>
            flowNodes(draft, { types, readOnly: true }).map((node) => ({
                ...node,
                selected: node.id === selected,
                data: { ...node.data, waiting: waiting?.[node.id] ?? 0, mark: marks?.[node.id] },
            })),
        [draft, types, waiting, marks, selected],
    );
    const edges = useMemo(
        () =>
            flowEdges(draft, { types, readOnly: true, ...(taken ? { taken } : {}) }).map(
                (edge) => ({ ...edge, className: classes[marks?.[edge.id] ?? "plain"] ?? "" }),
            ),
        [draft, types, taken, marks],
    );
    return (
        <ToolsContext.Provider value={tools}>
            <ReactFlowProvider>
                <section className={classes.graph} aria-label={t("canvas")}>
                    <SightProvider>
                        <ReactFlow
                            nodes={nodes}
                            edges={edges}
                            nodeTypes={nodeTypes}
                            edgeTypes={edgeTypes}
                            nodesDraggable={false}
                            nodesConnectable={false}
                            edgesFocusable={false}
                            colorMode={colorScheme === "auto" ? "system" : colorScheme}
                            minZoom={0.1}
                            fitView
                            fitViewOptions={fit}
                            proOptions={{ hideAttribution: true }}
                            ariaLabelConfig={labels}
                            onNodeClick={(_, node) => onSelect?.(node.id)}
                            onNodesChange={(changes) => {
                                // Chosen by the keyboard.
                                const chosen = changes.find((one) => one.type === "select");
                                if (chosen?.type === "select" && chosen.selected)
                                    onSelect?.(chosen.id);
                            }}
                        >
                            <Refit beside={selected !== undefined} />
                            <Background gap={16} />
                            <Controls showInteractive={false} />
                        </ReactFlow>
                    </SightProvider>
                </section>
            </ReactFlowProvider>
        </ToolsContext.Provider>
    );
}

const fit = { maxZoom: 1, padding: 0.15 };

/** Shows all of the graph again when a panel opens or closes beside it. */
function Refit({ beside }: { beside: boolean }) {
    const { fitView } = useReactFlow();
    const before = useRef(beside);
    useEffect(() => {
        if (before.current === beside) return;
        before.current = beside;
        const timer = setTimeout(() => void fitView(fit), 60);
        return () => clearTimeout(timer);
    }, [beside, fitView]);
    return null;
}
