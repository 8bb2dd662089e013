import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The frame and colours of editors, from the variables of the application. */
export const editorTheme = (minHeight: number, maxHeight: number) =>
    EditorView.theme({
        "&": {
            minHeight: `${minHeight}px`,
            maxHeight: `${maxHeight}px`,
            border: "1px solid var(--pawl-line)",
            borderRadius: "8px",
            backgroundColor: "var(--pawl-raised)",
            color: "var(--mantine-color-text)",
            fontSize: "12.5px",
            overflow: "hidden",
        },
        "&.cm-focused": { outline: "2px solid var(--mantine-primary-color-filled)" },
        ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", overflow: "auto" },
        ".cm-content": { caretColor: "var(--mantine-color-text)", minHeight: `${minHeight - 2}px` },
        ".cm-gutters": {
            backgroundColor: "var(--pawl-sunken)",
            color: "var(--mantine-color-dimmed)",
            border: "none",
        },
        ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--pawl-hover)" },
        ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
        ".cm-tooltip": {
            backgroundColor: "var(--pawl-raised)",
            border: "1px solid var(--pawl-line)",
        },
        "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
            { backgroundColor: "light-dark(#cdd9ff, #31407a)" },
    });

/** Dark enough to be read on the line of the cursor. */
export const lightHighlight = HighlightStyle.define([
    { tag: [tags.string, tags.special(tags.string)], color: "#8a1f2d" },
    { tag: [tags.number], color: "#0b5a3c" },
    { tag: [tags.bool, tags.null, tags.atom], color: "#5b2bc4" },
    { tag: [tags.keyword, tags.operatorKeyword], color: "#6a1b9a" },
    { tag: [tags.propertyName, tags.attributeName], color: "#1c3f8f" },
    { tag: [tags.comment], color: "#5b6372", fontStyle: "italic" },
    { tag: [tags.tagName, tags.typeName], color: "#0b5a3c" },
    { tag: [tags.invalid], color: "#a3181e" },
]);

export const darkHighlight = HighlightStyle.define([
    { tag: [tags.string, tags.special(tags.string)], color: "#8fd9b0" },
    { tag: [tags.number], color: "#9cc1ff" },
    { tag: [tags.bool, tags.null, tags.atom], color: "#dba6f2" },
    { tag: [tags.keyword, tags.operatorKeyword], color: "#c9b3ff" },
    { tag: [tags.propertyName, tags.attributeName], color: "#c7d0e4" },
    { tag: [tags.comment], color: "#7d8594", fontStyle: "italic" },
    { tag: [tags.tagName, tags.typeName], color: "#9cc1ff" },
    { tag: [tags.invalid], color: "#ff9ea1" },
]);
