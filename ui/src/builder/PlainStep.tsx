import { toneOf } from "./icons";
import { nodeHeight } from "./layout";
import classes from "./PlainStep.module.css";
import type { StepData } from "./step";

interface Props {
    data: StepData;
    selected: boolean;
    /** As high as it is from near; nothing: it was not seen from there yet. */
    height: number | undefined;
}

/** The place where edges begin or end. The canvas finds it by class and name; no one can draw from it. */
function End({ type, id, at }: { type: "source" | "target"; id?: string; at: number }) {
    const side = type === "target" ? "top" : "bottom";
    return (
        <i
            className={`react-flow__handle react-flow__handle-${side} ${type} ${classes.end}`}
            style={{ left: `${100 * at}%` }}
            data-handleid={id}
            data-handlepos={side}
        />
    );
}

/** A step from far away: its colour, whether it is selected or wrong. Five hundred are in sight. */
export function PlainStep({ data, selected, height = nodeHeight }: Props) {
    const tone = data.off ? "gray" : toneOf(data.type);
    return (
        <div
            className={classes.step}
            style={{ height, background: `var(--mantine-color-${tone}-light)` }}
            data-selected={selected || undefined}
            data-wrong={data.problem !== "" || undefined}
            data-mark={data.mark}
            data-off={data.off || undefined}
            data-step={data.id}
            data-plain
        >
            {data.type !== "trigger" && <End type="target" at={0.5} />}
            {data.handles.map((handle, i) => (
                <End key={handle} type="source" id={handle} at={(i + 0.5) / data.handles.length} />
            ))}
        </div>
    );
}
