/** How many there are; not complete: there are more than the server counts. */
export interface Count {
    count: number;
    complete: boolean;
}

/** `10,000+` where the server stopped counting. */
export const counted = ({ count, complete }: Count) =>
    `${count.toLocaleString("en")}${complete ? "" : "+"}`;

/** How many runs have one of the statuses that a filter asks for. */
export function totalOf(counts: ReadonlyMap<string, Count>, status: string | undefined): Count {
    const wanted = status?.split(",") ?? [...counts.keys()];
    const parts = wanted.flatMap((one) => counts.get(one) ?? []);
    return {
        count: parts.reduce((sum, one) => sum + one.count, 0),
        complete: parts.every((one) => one.complete),
    };
}
