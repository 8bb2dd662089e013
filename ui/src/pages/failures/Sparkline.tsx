import classes from "./Failures.module.css";

const high = 20;
const wide = 4;

/** A bar for each hour of the last day; the label says the same in words. */
export function Sparkline({ pulse, label }: { pulse: readonly number[]; label: string }) {
    const most = Math.max(1, ...pulse);
    return (
        <svg
            className={classes.spark}
            width={pulse.length * wide}
            height={high}
            role="img"
            aria-label={label}
        >
            <title>{label}</title>
            {pulse.map((count, hour) => {
                const tall = count === 0 ? 1 : Math.max(3, (count / most) * high);
                return (
                    <rect
                        key={hour}
                        data-empty={count === 0 || undefined}
                        x={hour * wide}
                        y={high - tall}
                        width={wide - 1}
                        height={tall}
                    />
                );
            })}
        </svg>
    );
}
