import { Textarea } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type OnVersion, VersionChoice } from "./VersionChoice";
import { failuresWords } from "./words";

interface ReplayProps {
    /** How many runs the selected errors have. */
    runs: number;
    go: (version: OnVersion) => void;
    close: () => void;
}

/** Asks on which version all runs of the selected errors go on. */
export function ReplayMany({ runs, go, close }: ReplayProps) {
    const t = useWords(failuresWords);
    const [version, setVersion] = useState<OnVersion>("same");
    return (
        <FormDialog
            title={t("replay")}
            says={t("replayMany", { help: t("replayHelp") })}
            submit={t("replayAll", { count: runs })}
            pending={false}
            ready
            onSubmit={() => go(version)}
            close={close}
        >
            <VersionChoice value={version} onChange={setVersion} />
        </FormDialog>
    );
}

interface MuteProps {
    count: number;
    go: (reason: string) => void;
    close: () => void;
}

/** Asks why the selected errors need no attention. */
export function MuteMany({ count, go, close }: MuteProps) {
    const t = useWords(failuresWords);
    const c = useWords(commonWords);
    const [reason, setReason] = useState("");
    return (
        <FormDialog
            title={t("mute")}
            says={t("muteHelp")}
            submit={t("manyAs", { verb: t("mute"), count })}
            pending={false}
            ready={reason.trim() !== ""}
            onSubmit={() => go(reason.trim())}
            close={close}
        >
            <Textarea
                data-autofocus
                label={t("muteWhy")}
                description={c("reasonHelp")}
                maxLength={2000}
                autosize
                minRows={1}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
            />
        </FormDialog>
    );
}
