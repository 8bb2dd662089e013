import { BaseEdge, type Edge, type EdgeProps, getSmoothStepPath } from "@xyflow/react";
import { memo } from "react";
import { createPortal } from "react-dom";
import { useWords } from "@/words";
import { AddStep } from "./AddStep";
import type { GraphEdge } from "./graph";
import { questionOf } from "./handles";
import { cornersOf, pathOf, type Way } from "./route";
import classes from "./StepEdge.module.css";
import { useSight } from "./sight";
import { builderWords } from "./words";

export interface EdgeData extends Record<string, unknown> {
    edge: GraphEdge;
    /** How often it was taken; nothing: not known. */
    count?: number;
    /** It is part of the path of a test run. */
    lit?: boolean;
    readOnly: boolean;
    /** It leads around steps. */
    way?: Way;
}

export type StepFlowEdge = Edge<EdgeData, "step">;

/** Its path, and where its middle is. */
export function drawnPath(ends: EdgeProps, way: Way | undefined): [string, number, number] {
    if (!way) {
        const [path, x, y] = getSmoothStepPath({ ...ends, borderRadius: 8 });
        return [path, x, y];
    }
    const from = { x: ends.sourceX, y: ends.sourceY };
    const corners = cornersOf(from, { x: ends.targetX, y: ends.targetY }, way);
    return [pathOf(corners), way.x, (way.top + way.bottom) / 2];
}

/** When an edge is taken that has a condition. */
function Condition({ when }: { when: unknown }) {
    const t = useWords(builderWords);
    const what = questionOf(when);
    return (
        <span className={classes.when} title={what} data-when>
            {t("edgeIf", { what })}
        </span>
    );
}

/** An edge with a "+" in its middle, or with how often it was taken. */
export const StepEdge = memo(function StepEdge(props: EdgeProps<StepFlowEdge>) {
    const { data } = props;
    const { far, labels } = useSight();
    const [path, x, y] = drawnPath(props, data?.way);
    return (
        <>
            <BaseEdge
                id={props.id}
                path={path}
                markerEnd={props.markerEnd ?? ""}
                className={`${data?.lit ? classes.lit : ""} ${far ? classes.far : ""}`}
                {...(data?.lit ? { "data-lit": true } : {})}
                {...(far ? { interactionWidth: 0 } : {})}
            />
            {labels &&
                !far &&
                createPortal(
                    <div
                        className={`${classes.middle} nodrag nopan`}
                        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
                    >
                        {data?.edge.when !== undefined && <Condition when={data.edge.when} />}
                        {data?.count !== undefined && (
                            <span
                                className={`${classes.count} ${data.count === 0 ? classes.none : ""} numbers`}
                                data-count={props.id}
                            >
                                {data.count.toLocaleString()}
                            </span>
                        )}
                        {data && !data.readOnly && (
                            <AddStep into={data.edge} className={classes.plus} />
                        )}
                    </div>,
                    labels,
                )}
        </>
    );
});
