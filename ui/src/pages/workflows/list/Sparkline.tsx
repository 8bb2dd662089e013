import { Hint } from "@/components/Hint";
import classes from "./Sparkline.module.css";
import { linePath } from "./spark";

interface Props {
    /** Says in words what is drawn. */
    label: string;
    values: number[];
    /** Drawn over it in red: a part of them. */
    bad?: number[];
}

const width = 96;
const height = 22;

/** A small line over time; its numbers are in the label. */
export function Sparkline({ label, values, bad = [] }: Props) {
    const most = Math.max(1, ...values, ...bad);
    return (
        <Hint label={label} multiline maw={260}>
            <svg
                className={classes.spark}
                viewBox={`0 0 ${width} ${height}`}
                width={width}
                height={height}
                role="img"
                aria-label={label}
            >
                <path className={classes.area} d={linePath(values, most, width, height, true)} />
                <path className={classes.line} d={linePath(values, most, width, height, false)} />
                {bad.some((one) => one > 0) && (
                    <path className={classes.bad} d={linePath(bad, most, width, height, false)} />
                )}
            </svg>
        </Hint>
    );
}
