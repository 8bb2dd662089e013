import { Skeleton } from "@mantine/core";
import { Suspense } from "react";
import { lazyPart } from "@/data/parts";
import type { EditorProps } from "./props";

const Mirror = lazyPart(async () => (await import("./Mirror")).Mirror);

/** An editor for code. It is loaded when the first one is shown. */
export function CodeEditor(props: EditorProps) {
    return (
        <Suspense fallback={<Skeleton height={props.minHeight ?? 160} />}>
            <Mirror {...props} />
        </Suspense>
    );
}
