/** The path of a line through the values, or of the area below it. */
export function linePath(
    values: number[],
    most: number,
    width: number,
    height: number,
    closed: boolean,
): string {
    if (values.length === 0) return "";
    const step = values.length > 1 ? width / (values.length - 1) : 0;
    const points = values.map((value, index) => {
        const y = height - 1 - (value / most) * (height - 3);
        return `${(index * step).toFixed(1)} ${y.toFixed(1)}`;
    });
    const line = `M${points.join("L")}`;
    return closed ? `${line}L${width} ${height}L0 ${height}Z` : line;
}

/** The part of ended runs that failed, from 0 to 1; nothing when none has ended. */
export function failureShare(rates: {
    completed: number;
    failed: number;
    cancelled: number;
}): number | undefined {
    const ended = rates.completed + rates.failed + rates.cancelled;
    return ended > 0 ? rates.failed / ended : undefined;
}

/** A share as people read it: 0%, <0.1%, 3.2%, 41%. */
export function percent(share: number): string {
    const value = share * 100;
    if (value === 0) return "0%";
    if (value < 0.1) return "<0.1%";
    return value < 10 ? `${value.toFixed(1)}%` : `${Math.round(value)}%`;
}
