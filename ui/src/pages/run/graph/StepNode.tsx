import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { StepIcon } from "@/components/StepIcon";
import { useWords } from "@/words";
import { statusWords } from "@/words/statuses";
import type { NodeState } from "../states";
import classes from "./GraphView.module.css";

export type StepNodeData = {
    name: string;
    type: string;
    state: NodeState;
    attempts: number;
    current: boolean;
};

export function StepNode({ data, selected }: NodeProps<Node<StepNodeData>>) {
    const t = useWords(statusWords);
    return (
        <div
            className={classes.node}
            data-state={data.state}
            data-selected={selected || undefined}
            data-current={data.current || undefined}
        >
            <Handle type="target" position={Position.Top} className={classes.handle ?? ""} />
            <StepIcon type={data.type} status={data.state} />
            <span className={classes.text}>
                <span className="truncate">{data.name}</span>
                <span className={classes.state}>
                    {t(data.state)}
                    {data.attempts > 1 && ` · ${data.attempts}×`}
                </span>
            </span>
            <Handle type="source" position={Position.Bottom} className={classes.handle ?? ""} />
        </div>
    );
}
