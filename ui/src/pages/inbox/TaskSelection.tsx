import { Button } from "@mantine/core";
import { useState } from "react";
import { RefusedAlert, SelectionBar } from "@/components/SelectionBar";
import { request } from "@/data/api";
import { useMany } from "@/data/useMany";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type Ask, AskDialog } from "./AskDialog";
import type { Task } from "./data";
import { inboxWords } from "./words";

interface Props {
    /** Those that are selected. */
    tasks: readonly Task[];
    clear: () => void;
}

/** Decides, hands over or claims all selected tasks; each is asked for by itself. */
export function TaskSelection({ tasks, clear }: Props) {
    const t = useWords(inboxWords);
    const c = useWords(commonWords);
    const [ask, setAsk] = useState<Ask>();
    const many = useMany({
        said: (count) => t("doneMany", { count }),
        changes: [["tasks"], ["overview"]],
        onDone: clear,
    });
    const count = tasks.length;
    const start = (action: string, body: object) =>
        void many.start(
            tasks.map((task) => task.id),
            (id) => request("POST", `/v1/tasks/${id}/${action}`, body),
        );
    return (
        <>
            <RefusedAlert many={many} title={c("notDone", { count: many.refused.length })} />
            {count > 0 && (
                <SelectionBar
                    label={t("decideMany")}
                    says={c("selected", { count })}
                    many={many}
                    clear={clear}
                >
                    <Button color="teal" onClick={() => start("approve", {})}>
                        {t("selected", { count })}
                    </Button>
                    <Button variant="outline" color="red" onClick={() => setAsk("reject")}>
                        {t("reject")}
                    </Button>
                    <Button variant="default" onClick={() => setAsk("delegate")}>
                        {t("delegate")}
                    </Button>
                    <Button variant="default" onClick={() => start("claim", {})}>
                        {t("claim")}
                    </Button>
                </SelectionBar>
            )}
            {ask && (
                <AskDialog
                    what={ask}
                    count={count}
                    onClose={() => setAsk(undefined)}
                    onSay={(text) => {
                        start(ask, ask === "reject" ? { reason: text } : { to: text });
                        setAsk(undefined);
                    }}
                />
            )}
        </>
    );
}
