import type { Run } from "../model";
import { CancelDialog } from "./CancelDialog";
import { RerunDialog } from "./RerunDialog";
import { SettleDialog } from "./SettleDialog";
import { SignalDialog } from "./SignalDialog";
import { SkipDialog } from "./SkipDialog";

/** An action that needs an answer first. */
export type Ask =
    | { kind: "cancel" }
    | { kind: "signal"; name: string }
    | { kind: "skip"; step: string }
    | { kind: "settle"; step: string }
    | { kind: "rerun"; from?: string };

export function Dialogs({ run, ask, close }: { run: Run; ask: Ask; close: () => void }) {
    if (ask.kind === "cancel") return <CancelDialog run={run} close={close} />;
    if (ask.kind === "signal") return <SignalDialog run={run} name={ask.name} close={close} />;
    if (ask.kind === "skip") return <SkipDialog run={run} step={ask.step} close={close} />;
    if (ask.kind === "settle") return <SettleDialog run={run} step={ask.step} close={close} />;
    return <RerunDialog run={run} from={ask.from} close={close} />;
}
