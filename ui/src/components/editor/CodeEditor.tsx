import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";

export type EditorLanguage = "json" | "yaml" | "sql" | "html" | "text";

export interface EditorProblem {
    from: number;
    to: number;
    message: string;
}

export interface EditorProps {
    value: string;
    onChange?: (value: string) => void;
    language: EditorLanguage;
    /** Names the editor for screen readers. */
    label: string;
    readOnly?: boolean;
    minHeight?: number;
    maxHeight?: number;
    /** What is underlined, and why. */
    problems?: EditorProblem[];
}

const Mirror = lazy(async () => ({ default: (await import("./Mirror")).Mirror }));

/** An editor for code. It is loaded when the first one is shown. */
export function CodeEditor(props: EditorProps) {
    return (
        <Suspense fallback={<Skeleton height={props.minHeight ?? 160} />}>
            <Mirror {...props} />
        </Suspense>
    );
}
