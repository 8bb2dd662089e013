import type { Node } from "@xyflow/react";
import type { StepMark } from "./marks";

export interface StepData extends Record<string, unknown> {
    id: string;
    type: string;
    title: string;
    summary: string;
    handles: string[];
    /** Ways out that lead nowhere yet. */
    open: string[];
    problem: string;
    /** Switched off: runs pass it. */
    off: boolean;
    /** How many runs are here now; shown when a workflow is looked at. */
    here?: number;
    /** How far it is in a test run. */
    mark?: StepMark;
    readOnly: boolean;
}

export type StepFlowNode = Node<StepData, "step">;
