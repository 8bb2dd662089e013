import { type ReactFlowProps, useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { canConnect, connect, reconnect } from "./graph";
import { dragKind } from "./StepList";
import { useBuilder } from "./store";
import { useTools } from "./types";
import type { CanvasNode } from "./useCanvasNodes";

type Gestures = Pick<
    ReactFlowProps<CanvasNode>,
    | "onEdgeClick"
    | "onPaneClick"
    | "onConnect"
    | "onConnectEnd"
    | "isValidConnection"
    | "onReconnect"
    | "onDragOver"
    | "onDrop"
>;

/** What people draw on the canvas with a pointer. It stays the same object, for the sake of drags. */
export function useGestures(onSelectEdge: (id: string | undefined) => void): Gestures {
    const store = useBuilder();
    const { add, offer } = useTools();
    const { screenToFlowPosition } = useReactFlow();
    return useMemo(() => {
        const { change } = store.getState();
        return {
            onEdgeClick: (_, one) => onSelectEdge(one.id),
            onPaneClick: () => onSelectEdge(undefined),
            onConnect: ({ source, sourceHandle, target }) =>
                change((old) =>
                    connect(old, { from: source, handle: sourceHandle ?? "default" }, target),
                ),
            // An edge that ends nowhere asks what should be there.
            onConnectEnd: (event, drag) => {
                if (drag.toNode || drag.toHandle || drag.fromHandle?.type !== "source") return;
                const at = "changedTouches" in event ? event.changedTouches[0] : event;
                if (!at || !drag.fromNode) return;
                const after = { from: drag.fromNode.id, handle: drag.fromHandle.id ?? "default" };
                const point = { x: at.clientX, y: at.clientY };
                offer?.({ after, at: screenToFlowPosition(point) }, point);
            },
            isValidConnection: ({ source, sourceHandle, target }) =>
                canConnect(
                    store.getState().draft,
                    { from: source, handle: sourceHandle ?? "default" },
                    target,
                ),
            onReconnect: (old, to) =>
                change((now) =>
                    reconnect(
                        now,
                        old.id,
                        { from: to.source, handle: to.sourceHandle ?? "default" },
                        to.target,
                    ),
                ),
            onDragOver: (event) => event.preventDefault(),
            onDrop: (event) => {
                const type = event.dataTransfer.getData(dragKind);
                if (!type) return;
                event.preventDefault();
                const at = screenToFlowPosition({ x: event.clientX, y: event.clientY });
                add(type, { at });
            },
        };
    }, [store, add, offer, screenToFlowPosition, onSelectEdge]);
}
