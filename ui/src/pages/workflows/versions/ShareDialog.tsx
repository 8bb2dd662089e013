import { Button, NumberInput } from "@mantine/core";
import { useState } from "react";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { Dialog } from "@/pages/run/actions/Dialog";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "../data";
import { versionWords } from "./words";

interface Props {
    workflow: Workflow;
    version: Workflow;
    close: () => void;
}

/** Which part of the starts a version gets beside the active one. */
export function ShareDialog({ workflow, version, close }: Props) {
    const t = useWords(versionWords);
    const number = version.version;
    const others = (workflow.canary ?? []).filter((one) => one.version !== number);
    const now = workflow.canary?.find((one) => one.version === number);
    const [share, setShare] = useState<number | string>(now?.share ?? 10);
    const act = useAct({
        run: (wanted: number | undefined) =>
            request("POST", `${pathOf(workflow.name)}/canary`, {
                shares: [
                    ...others,
                    ...(wanted === undefined ? [] : [{ version: number, share: wanted }]),
                ],
            }),
        done: (_, wanted) => t(wanted === undefined ? "unshared" : "saved", { version: number }),
        changes: [["workflows"]],
        onDone: close,
    });
    return (
        <Dialog
            title={t("shareTitle", { version: version.label ?? number })}
            text={t("shareText")}
            button={t("setShare")}
            busy={act.isPending}
            disabled={share === ""}
            submit={() => act.mutate(Number(share))}
            close={close}
        >
            <NumberInput
                label={t("sharePercent")}
                min={0}
                max={100}
                suffix="%"
                data-autofocus
                value={share}
                onChange={setShare}
            />
            {now && (
                <Button variant="subtle" color="red" onClick={() => act.mutate(undefined)}>
                    {t("stopSharing")}
                </Button>
            )}
        </Dialog>
    );
}
