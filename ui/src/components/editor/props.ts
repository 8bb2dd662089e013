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
