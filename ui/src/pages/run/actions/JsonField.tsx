import { Text } from "@mantine/core";
import { CodeEditor } from "@/components/editor/CodeEditor";
import { parseExact } from "@/data/json";
import { useWords } from "@/words";
import { runWords } from "../words";

interface Props {
    label: string;
    value: string;
    onChange: (value: string) => void;
    problem: string | undefined;
    height?: number;
}

/** What is wrong with a text that should be JSON. */
export function jsonProblem(text: string): string | undefined {
    try {
        parseExact(text);
        return undefined;
    } catch (error) {
        return error instanceof Error ? error.message : String(error);
    }
}

export function JsonField({ label, value, onChange, problem, height = 140 }: Props) {
    const t = useWords(runWords);
    return (
        <div>
            <Text size="xs" fw={500} mb={4}>
                {label}
            </Text>
            <CodeEditor
                language="json"
                label={label}
                value={value}
                onChange={onChange}
                minHeight={height}
            />
            {problem && (
                <Text size="xs" c="red" mt={4} role="alert">
                    {t("invalidJson", { problem })}
                </Text>
            )}
        </div>
    );
}
