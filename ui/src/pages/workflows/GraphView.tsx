import { useMantineColorScheme } from "@mantine/core";
import { Background, Controls, ReactFlow, ReactFlowProvider } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useMemo } from "react";
import { flowEdges, flowNodes } from "@/builder/flow";
import { draftOf } from "@/builder/layout";
import { StepEdge } from "@/builder/StepEdge";
import { StepNode } from "@/builder/StepNode";
import { ToolsContext, type Types } from "@/builder/types";
import { builderWords } from "@/builder/words";
import { useWords } from "@/words";
import type { Workflow } from "./data";
import classes from "./WorkflowPage.module.css";

const nodeTypes = { step: StepNode };
const edgeTypes = { step: StepEdge };

/** The graph of a workflow, to look at. */
export function GraphView({ workflow, types }: { workflow: Workflow; types: Types }) {
    const t = useWords(builderWords);
    const { colorScheme } = useMantineColorScheme();
    const draft = useMemo(() => draftOf(workflow.definition, workflow.layout), [workflow]);
    const shown = useMemo(() => ({ types, readOnly: true }), [types]);
    const tools = useMemo(() => ({ types, add: () => undefined }), [types]);
    const nodes = useMemo(() => flowNodes(draft, shown), [draft, shown]);
    const edges = useMemo(() => flowEdges(draft, shown), [draft, shown]);
    return (
        <ToolsContext.Provider value={tools}>
            <ReactFlowProvider>
                <div className={classes.graph} role="application" aria-label={t("canvas")}>
                    <ReactFlow
                        nodes={nodes}
                        edges={edges}
                        nodeTypes={nodeTypes}
                        edgeTypes={edgeTypes}
                        nodesDraggable={false}
                        nodesConnectable={false}
                        colorMode={colorScheme === "auto" ? "system" : colorScheme}
                        minZoom={0.1}
                        fitView
                        fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
                        proOptions={{ hideAttribution: true }}
                    >
                        <Background gap={16} />
                        <Controls showInteractive={false} />
                    </ReactFlow>
                </div>
            </ReactFlowProvider>
        </ToolsContext.Provider>
    );
}
