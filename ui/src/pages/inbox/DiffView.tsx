import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { editorTheme } from "@/components/editor/theme";
import { styleNonce } from "@/data/place";

/** Two texts as one: what was taken out and what was put in. */
export function DiffView({ before, after, label }: Props) {
    const host = useRef<HTMLDivElement>(null);
    const dark = useComputedColorScheme("light") === "dark";
    useEffect(() => {
        const view = new EditorView({
            parent: host.current!,
            state: EditorState.create({
                doc: after,
                extensions: [
                    unifiedMergeView({
                        original: before,
                        mergeControls: false,
                        gutter: true,
                        highlightChanges: true,
                    }),
                    editorTheme(20, 320),
                    EditorView.darkTheme.of(dark),
                    EditorView.cspNonce.of(styleNonce),
                    EditorView.lineWrapping,
                    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
                    EditorState.readOnly.of(true),
                    EditorView.editable.of(false),
                ],
            }),
        });
        return () => view.destroy();
    }, [before, after, label, dark]);
    return <div ref={host} />;
}

interface Props {
    before: string;
    after: string;
    label: string;
}
