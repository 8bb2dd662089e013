import { ActionIcon, Button } from "@mantine/core";
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useLive } from "@/data/live";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { shellWords } from "@/words/shell";
import { Hint } from "./Hint";

interface Props {
    /** How many rows wait to be shown. */
    fresh: number;
    show: () => void;
}

/** "12 new" instead of rows that jump, and the button that pauses. */
export function LiveControls({ fresh, show }: Props) {
    const t = useWords(commonWords);
    const s = useWords(shellWords);
    const { paused, pause } = useLive();
    return (
        <>
            {fresh > 0 && (
                <Button
                    variant="light"
                    radius="xl"
                    leftSection={<IconArrowUp size={13} />}
                    onClick={show}
                    className="numbers"
                >
                    {t("fresh", { count: fresh })}
                </Button>
            )}
            <Hint label={paused ? s("resume") : s("pause")}>
                <ActionIcon
                    variant="default"
                    size={30}
                    aria-label={paused ? s("resume") : s("pause")}
                    aria-pressed={paused}
                    onClick={() => pause(!paused)}
                >
                    {paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
                </ActionIcon>
            </Hint>
        </>
    );
}
