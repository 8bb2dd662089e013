import { Modal, Textarea, TextInput } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useState } from "react";
import { DialogForm } from "@/components/DialogForm";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { inboxWords } from "./words";

export type Ask = "reject" | "delegate";

interface AskProps {
    what: Ask;
    /** How many tasks it is about. */
    count?: number;
    onClose: () => void;
    onSay: (text: string) => void;
}

/** Asks why a task is rejected, or who decides it instead. */
export function AskDialog({ what, count = 1, onClose, onSay }: AskProps) {
    const t = useWords(inboxWords);
    const common = useWords(commonWords);
    const [text, setText] = useState("");
    const said = text.trim();
    const say = () => {
        if (said !== "") onSay(said);
    };
    const rejecting = what === "reject";
    const verb = rejecting ? t("reject") : t("delegate");
    return (
        <Modal opened onClose={onClose} title={rejecting ? t("rejectTitle") : t("delegate")}>
            <DialogForm
                submit={count > 1 ? t("verbMany", { verb, count }) : verb}
                grave={rejecting}
                ready={said !== ""}
                onSubmit={say}
                close={onClose}
            >
                {rejecting ? (
                    <Textarea
                        data-autofocus
                        label={common("reason")}
                        autosize
                        minRows={2}
                        value={text}
                        onChange={(event) => setText(event.currentTarget.value)}
                        onKeyDown={getHotkeyHandler([["mod+Enter", say]])}
                    />
                ) : (
                    <TextInput
                        data-autofocus
                        label={t("delegateTo")}
                        value={text}
                        onChange={(event) => setText(event.currentTarget.value)}
                    />
                )}
            </DialogForm>
        </Modal>
    );
}
