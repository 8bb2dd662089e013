import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyPart } from "@/data/parts";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { runsWords } from "./words";

const StartDialog = lazyPart(
    async () => (await import("@/pages/workflows/StartDialog")).StartDialog,
);

interface Props {
    /** Which workflow; nothing: it is asked. */
    workflow?: string;
    variant?: "light" | "filled";
}

/** Starts a run by hand; not there for who may not. */
export function StartButton({ workflow, variant = "filled" }: Props) {
    const t = useWords(runsWords);
    const may = useMay("runs:write");
    const [open, setOpen] = useState(false);
    if (!may) return null;
    return (
        <>
            <Button
                variant={variant}
                leftSection={<IconPlayerPlay size={14} />}
                onClick={() => setOpen(true)}
            >
                {t("startRun")}
            </Button>
            {open && (
                <Suspense>
                    <StartDialog
                        {...(workflow === undefined ? {} : { name: workflow })}
                        onClose={() => setOpen(false)}
                    />
                </Suspense>
            )}
        </>
    );
}
