import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { EditorProps } from "./props";

const Mirror = lazy(async () => ({ default: (await import("./Mirror")).Mirror }));

/** An editor for code. It is loaded when the first one is shown. */
export function CodeEditor(props: EditorProps) {
    return (
        <Suspense fallback={<Skeleton height={props.minHeight ?? 160} />}>
            <Mirror {...props} />
        </Suspense>
    );
}
