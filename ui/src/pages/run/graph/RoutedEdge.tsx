import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react";
import type { Way } from "@/builder/route";
import { drawnPath } from "@/builder/StepEdge";

/** An edge that leads around the steps between its ends. */
export function RoutedEdge(props: EdgeProps<Edge<{ way?: Way | undefined }>>) {
    const [path, x, y] = drawnPath(props, props.data?.way);
    return (
        <BaseEdge
            id={props.id}
            path={path}
            markerEnd={props.markerEnd ?? ""}
            {...(props.label ? { label: props.label, labelX: x, labelY: y } : {})}
        />
    );
}
