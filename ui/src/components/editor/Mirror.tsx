import { syntaxHighlighting } from "@codemirror/language";
import { linter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useComputedColorScheme } from "@mantine/core";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "react";
import { styleNonce } from "@/data/place";
import { phrases } from "./phrases";
import type { EditorLanguage, EditorProblem, EditorProps } from "./props";
import { darkHighlight, editorTheme, lightHighlight } from "./theme";

const loaders: Record<EditorLanguage, () => Promise<Extension>> = {
    json: async () => {
        const { json, jsonParseLinter } = await import("@codemirror/lang-json");
        const parse = jsonParseLinter();
        // Where nothing is said, nothing is wrong.
        const check = (view: EditorView) =>
            /\S/.test(view.state.doc.toString()) ? parse(view) : [];
        return [json(), linter(check, { delay: 300 })];
    },
    yaml: async () => (await import("@codemirror/lang-yaml")).yaml(),
    sql: async () => {
        const { sql, PostgreSQL } = await import("@codemirror/lang-sql");
        return sql({ dialect: PostgreSQL });
    },
    html: async () => (await import("@codemirror/lang-html")).html(),
    text: async () => [],
};

// A change that the page made: it need not be told of it.
const given = Annotation.define<boolean>();

export function Mirror(props: EditorProps) {
    const { value, language, label, readOnly = false, minHeight = 160, maxHeight = 480 } = props;
    const host = useRef<HTMLDivElement>(null);
    const view = useRef<EditorView>(undefined);
    const change = useRef(props.onChange);
    change.current = props.onChange;
    const dark = useComputedColorScheme("light") === "dark";
    const look = useRef(new Compartment());
    // biome-ignore lint/correctness/useExhaustiveDependencies: the value is set below, not by a new editor
    useEffect(() => {
        const grammar = new Compartment();
        const editor = new EditorView({
            parent: host.current!,
            state: EditorState.create({
                doc: value,
                extensions: [
                    basicSetup,
                    phrases(),
                    grammar.of([]),
                    look.current.of(highlight(dark)),
                    editorTheme(minHeight, maxHeight),
                    EditorView.cspNonce.of(styleNonce),
                    EditorView.lineWrapping,
                    // What scrolls is reached by Tab, also if it cannot be changed.
                    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
                    EditorState.readOnly.of(readOnly),
                    EditorView.editable.of(!readOnly),
                    EditorView.updateListener.of((update) => {
                        const typed = !update.transactions.some((one) => one.annotation(given));
                        if (update.docChanged && typed) {
                            change.current?.(update.state.doc.toString());
                        }
                    }),
                ],
            }),
        });
        view.current = editor;
        let gone = false;
        void loaders[language]().then((extension) => {
            if (!gone) editor.dispatch({ effects: grammar.reconfigure(extension) });
        });
        return () => {
            gone = true;
            editor.destroy();
        };
    }, [language, label, readOnly, minHeight, maxHeight]);
    useEffect(() => {
        view.current?.dispatch({ effects: look.current.reconfigure(highlight(dark)) });
    }, [dark]);
    useEffect(() => {
        const editor = view.current;
        if (!editor || editor.state.doc.toString() === value) return;
        editor.dispatch({
            changes: { from: 0, to: editor.state.doc.length, insert: value },
            annotations: given.of(true),
        });
    }, [value]);
    const marks = props.problems && JSON.stringify(props.problems);
    useEffect(() => {
        const editor = view.current;
        if (!editor || !marks) return;
        const end = editor.state.doc.length;
        const problems = (JSON.parse(marks) as EditorProblem[])
            .filter((one) => one.to <= end)
            .map((one) => ({ ...one, severity: "error" as const }));
        editor.dispatch(setDiagnostics(editor.state, problems));
    }, [marks]);
    return <div ref={host} />;
}

const highlight = (dark: boolean): Extension => [
    EditorView.darkTheme.of(dark),
    syntaxHighlighting(dark ? darkHighlight : lightHighlight),
];
