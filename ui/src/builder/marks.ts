/** How far a step is in a test run. */
export type StepMark = "done" | "now" | "failed" | "waiting";

/** What is drawn over the graph: counts of a simulation, or the path of a test run. */
export interface Marks {
    /** How many are at each node. */
    here?: Record<string, number>;
    /** How often each edge was taken, by its id. */
    taken?: Record<string, number>;
    steps?: Record<string, StepMark>;
    /** Edges of the path, by their ids. */
    lit?: ReadonlySet<string>;
}

export const noMarks: Marks = {};
