import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { SelectionBar } from "@/components/SelectionBar";
import { api, call, type Schemas } from "@/data/api";
import { cancelRun } from "@/data/cancelRun";
import type { ManyState } from "@/data/useMany";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type Action, fits, fitting } from "./actions";
import { runsWords } from "./words";

type Run = Schemas["Run"];

/** What is done to selected runs: a step is named only for all that match, in the dialog. */
type Chosen = Exclude<Action, "settle">;

const chosen: Chosen[] = ["pause", "resume", "cancel", "retry", "rerun"];

function act(action: Chosen, reason?: string) {
    return (id: string) => {
        const params = { path: { id } };
        const body = reason ? { reason } : {};
        switch (action) {
            case "pause":
                return call(api.POST("/v1/runs/{id}/pause", { params, body }));
            case "resume":
                return call(api.POST("/v1/runs/{id}/resume", { params }));
            case "cancel":
                return cancelRun(id, body);
            case "retry":
                return call(api.POST("/v1/runs/{id}/retry", { params }));
            default:
                return call(api.POST("/v1/runs/{id}/rerun", { params, body: {} }));
        }
    };
}

/** Leads to two runs side by side, the older one on the left. */
function CompareButton({ runs }: { runs: Run[] }) {
    const t = useWords(runsWords);
    const [left, right] = runs.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
    if (!left || !right || runs.length !== 2) return null;
    return (
        <Button
            variant="default"
            renderRoot={(props) => (
                <Link
                    to="/runs/$id/compare"
                    params={{ id: left.id }}
                    search={{ with: right.id }}
                    {...props}
                />
            )}
        >
            {t("compare")}
        </Button>
    );
}

/** Asks before runs are ended: that cannot be taken back. */
function CancelDialog(props: { count: number; go: (reason: string) => void; close: () => void }) {
    const t = useWords(runsWords);
    const c = useWords(commonWords);
    const [reason, setReason] = useState("");
    return (
        <FormDialog
            title={t("cancelMany", { count: props.count })}
            says={t("cancelSays")}
            submit={t("cancelMany", { count: props.count })}
            pending={false}
            grave
            ready
            onSubmit={() => props.go(reason.trim())}
            close={props.close}
        >
            <TextInput
                label={c("reason")}
                description={c("reasonHelp")}
                value={reason}
                maxLength={1000}
                data-autofocus
                onChange={(event) => setReason(event.currentTarget.value)}
            />
        </FormDialog>
    );
}

interface Props {
    runs: Run[];
    many: ManyState;
    /** All that match are meant, also those that the list has not read: how many that is. */
    whole: string | undefined;
    /** Of the filter. */
    status: string | undefined;
    /** Means all that match; not offered where no others do. */
    takeWhole: (() => void) | undefined;
    /** Does it to all that match, as a job of the server. */
    onBulk: (action: Chosen) => void;
    clear: () => void;
}

/** What can be done to the chosen rows. An action says how many of them it fits. */
export function RunSelection(props: Props) {
    const { runs, many, whole, status, takeWhole, onBulk, clear } = props;
    const t = useWords(runsWords);
    // What is asked about stays, though some may end meanwhile: then that is said.
    const [cancelling, setCancelling] = useState<string[]>();
    const fittingRuns = (action: Chosen) =>
        runs.filter((run) => fits(action, run.status)).map((run) => run.id);
    const start = (action: Chosen) => {
        if (whole !== undefined) onBulk(action);
        else if (action === "cancel") setCancelling(fittingRuns(action));
        else void many.start(fittingRuns(action), act(action));
    };
    const says =
        whole === undefined
            ? t("selectedCount", { count: runs.length })
            : t("wholeSelected", { count: whole });
    return (
        <>
            {(runs.length > 0 || many.going) && (
                <SelectionBar label={t("action")} says={says} many={many} clear={clear}>
                    {takeWhole && whole === undefined && (
                        <Button variant="subtle" onClick={takeWhole}>
                            {t("matching")}
                        </Button>
                    )}
                    {chosen.map((action) => {
                        const count = fittingRuns(action).length;
                        const fit = whole === undefined ? count : fitting(action, status).length;
                        if (fit === 0) return null;
                        return (
                            <Button
                                key={action}
                                variant={action === "cancel" ? "light" : "default"}
                                color={action === "cancel" ? "red" : "gray"}
                                onClick={() => start(action)}
                            >
                                {whole === undefined
                                    ? t("actionOn", { action: t(action), count })
                                    : `${t(action)}…`}
                            </Button>
                        );
                    })}
                    {whole === undefined && <CompareButton runs={runs} />}
                </SelectionBar>
            )}
            {cancelling && (
                <CancelDialog
                    count={cancelling.length}
                    go={(reason) => {
                        setCancelling(undefined);
                        void many.start(cancelling, act("cancel", reason));
                    }}
                    close={() => setCancelling(undefined)}
                />
            )}
        </>
    );
}
