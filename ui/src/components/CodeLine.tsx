import { Text } from "@mantine/core";
import classes from "./CodeLine.module.css";
import { CopyButton } from "./CopyButton";
import { useCommand } from "./useCommand";

/** A command that can be copied. */
export function CodeLine({ text: written, label }: { text: string; label?: string }) {
    const text = useCommand(written);
    return (
        <div>
            {label && (
                <Text size="xs" c="dimmed" mb={3}>
                    {label}
                </Text>
            )}
            <div className={classes.line}>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
                <pre className={classes.text} tabIndex={0}>
                    {text}
                </pre>
                <CopyButton text={text} />
            </div>
        </div>
    );
}
