import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { StepNode } from "@/builder/StepNode";
import type { StepFlowNode } from "@/builder/step";
import { useWords } from "@/words";
import classes from "./WorkflowGraph.module.css";
import { canvasWords } from "./words";

/** A step with how many people wait there, and how it is marked. */
export const CountedNode = memo(function CountedNode(props: NodeProps<StepFlowNode>) {
    const t = useWords(canvasWords);
    const waiting = Number(props.data.waiting ?? 0);
    const mark = props.data.mark as string | undefined;
    return (
        <div className={classes.node} data-mark={mark}>
            <StepNode {...props} />
            {waiting > 0 && (
                <span className={`${classes.waiting} numbers`} data-waiting={waiting}>
                    {t("waitHere", { count: waiting })}
                </span>
            )}
        </div>
    );
});
