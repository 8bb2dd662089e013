import { ActionIcon } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { Hint } from "./Hint";

interface Props {
    text: string;
    label?: string;
    size?: "xs" | "sm" | "md";
}

export function CopyButton({ text, label, size = "sm" }: Props) {
    const t = useWords(commonWords);
    const clipboard = useClipboard({ timeout: 1200 });
    const said = clipboard.copied ? t("copied") : (label ?? t("copy"));
    return (
        <Hint label={said}>
            <ActionIcon
                size={size}
                aria-label={said}
                onClick={(event) => {
                    event.stopPropagation();
                    event.preventDefault();
                    clipboard.copy(text);
                }}
            >
                {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
        </Hint>
    );
}
