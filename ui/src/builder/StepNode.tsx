import { ThemeIcon } from "@mantine/core";
import { IconAlertTriangleFilled } from "@tabler/icons-react";
import {
    Handle,
    type NodeProps,
    Position,
    useConnection,
    useUpdateNodeInternals,
} from "@xyflow/react";
import { memo, useContext, useEffect, useRef } from "react";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { AddStep } from "./AddStep";
import { StepIcon, toneOf } from "./icons";
import { PlainStep } from "./PlainStep";
import classes from "./StepNode.module.css";
import { useSight } from "./sight";
import type { StepData, StepFlowNode } from "./step";
import { ToolsContext } from "./types";
import { builderWords } from "./words";

/** While an edge is drawn: whether it may end here. */
function useMayEnd(id: string): boolean | undefined {
    const tools = useContext(ToolsContext);
    return useConnection((drawn) => {
        if (!drawn.inProgress || !tools?.connectable || drawn.fromHandle?.type !== "source")
            return undefined;
        const handle = drawn.fromHandle.id ?? "default";
        return tools.connectable({ from: drawn.fromNode.id, handle }, id);
    });
}

/** The canvas remembers where the ways out are as long as a step stays as large as it is. */
function useMeasuredWays({ id, handles }: StepData): void {
    const measure = useUpdateNodeInternals();
    const ways = handles.join("\n");
    const measured = useRef(ways);
    useEffect(() => {
        if (measured.current === ways) return;
        measured.current = ways;
        measure(id);
    }, [measure, id, ways]);
}

/** One step on the canvas. */
export const StepNode = memo(function StepNode({
    data,
    selected,
    height,
}: NodeProps<StepFlowNode>) {
    const { far } = useSight();
    useMeasuredWays(data);
    if (far) return <PlainStep data={data} selected={selected} height={height} />;
    return <FullStep data={data} selected={selected} />;
});

/** What it is, its name, what it does, its ways out. */
function FullStep({ data, selected }: { data: StepData; selected: boolean }) {
    const wrong = data.problem !== "";
    const end = useMayEnd(data.id);
    const say = useSaid("handle");
    const t = useWords(builderWords);
    return (
        <div
            className={classes.step ?? ""}
            data-selected={selected || undefined}
            data-wrong={wrong || undefined}
            data-mark={data.mark}
            data-off={data.off || undefined}
            data-end={end}
            data-step={data.id}
        >
            {data.type !== "trigger" && (
                <Handle type="target" position={Position.Top} className={classes.target ?? ""} />
            )}
            <div className={classes.head}>
                <ThemeIcon
                    size={24}
                    variant="light"
                    color={data.off ? "gray" : toneOf(data.type)}
                    radius="sm"
                >
                    <StepIcon type={data.type} />
                </ThemeIcon>
                <div className={classes.names}>
                    <span className={`${classes.id} truncate`}>{data.id}</span>
                    <span className={`${classes.title} truncate`}>
                        {data.off ? `${t("switchedOff")} · ${data.title}` : data.title}
                    </span>
                </div>
                {data.here !== undefined && data.here > 0 && (
                    <span className={`${classes.here} numbers`}>{data.here.toLocaleString()}</span>
                )}
                {wrong && (
                    <Hint label={data.problem} multiline maw={320}>
                        <IconAlertTriangleFilled size={16} className={classes.alert} />
                    </Hint>
                )}
            </div>
            {data.summary !== "" && (
                <div className={`${classes.summary} truncate`}>{data.summary}</div>
            )}
            <div className={classes.ways} data-many={data.handles.length > 1 || undefined}>
                {data.handles.map((handle) => (
                    <div key={handle} className={classes.way}>
                        {data.handles.length > 1 && (
                            <span className={`${classes.wayName} truncate`} title={handle}>
                                {say(handle)}
                            </span>
                        )}
                        <Handle
                            type="source"
                            id={handle}
                            position={Position.Bottom}
                            className={classes.source ?? ""}
                        />
                        {!data.readOnly && data.open.includes(handle) && (
                            <AddStep after={{ from: data.id, handle }} className={classes.plus} />
                        )}
                    </div>
                ))}
            </div>
        </div>
    );
}
