import { yaml } from "@codemirror/lang-yaml";
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { Group, Text, useComputedColorScheme } from "@mantine/core";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "react";
import { phrases } from "@/components/editor/phrases";
import { styleNonce } from "@/data/place";
import classes from "./Diff.module.css";

interface Props {
    before: string;
    after: string;
    names: [string, string];
}

/** Two texts side by side, with what differs. */
export function Diff({ before, after, names }: Props) {
    const host = useRef<HTMLDivElement>(null);
    const dark = useComputedColorScheme("light") === "dark";
    useEffect(() => {
        const side = (doc: string, label: string) => ({
            doc,
            extensions: [
                basicSetup,
                phrases(),
                yaml(),
                EditorView.darkTheme.of(dark),
                EditorView.cspNonce.of(styleNonce),
                EditorView.lineWrapping,
                EditorView.editable.of(false),
                EditorState.readOnly.of(true),
                EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
            ],
        });
        const view = new MergeView({
            a: side(before, names[0]),
            b: side(after, names[1]),
            parent: host.current!,
            collapseUnchanged: { margin: 3, minSize: 6 },
        });
        return () => view.destroy();
    }, [before, after, names[0], names[1], dark]);
    return (
        <div>
            <Group grow>
                {names.map((name) => (
                    <Text key={name} size="xs" fw={600}>
                        {name}
                    </Text>
                ))}
            </Group>
            <div ref={host} className={classes.diff} data-diff />
        </div>
    );
}
