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
    // What is asked about stays, though others may decide it meanwhile: then that is said.
    const [ask, setAsk] = useState<{ what: Ask; tasks: readonly Task[] }>();
    const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
    const many = useMany({
        said: (count) => t("doneMany", { count }),
        changes: [["tasks"], ["overview"]],
        onDone: clear,
    });
    const count = tasks.length;
    const start = (action: string, body: object, meant = tasks) => {
        setTitles(new Map(meant.map((task) => [task.id, task.title])));
        void many.start(
            meant.map((task) => task.id),
            (id) => request("POST", `/v1/tasks/${id}/${action}`, body),
        );
    };
    return (
        <>
            <RefusedAlert
                many={many}
                title={c("notDone", { count: many.refused.length })}
                name={(id) => <b>{titles.get(id)}</b>}
            />
            {(count > 0 || many.going) && (
                <SelectionBar
                    label={t("decideMany")}
                    says={c("selected", { count })}
                    many={many}
                    clear={clear}
                >
                    <Button color="teal" onClick={() => start("approve", {})}>
                        {t("selected", { count })}
                    </Button>
                    <Button
                        variant="outline"
                        color="red"
                        onClick={() => setAsk({ what: "reject", tasks })}
                    >
                        {t("reject")}
                    </Button>
                    <Button variant="default" onClick={() => setAsk({ what: "delegate", tasks })}>
                        {t("delegate")}
                    </Button>
                    <Button variant="default" onClick={() => start("claim", {})}>
                        {t("claim")}
                    </Button>
                </SelectionBar>
            )}
            {ask && (
                <AskDialog
                    what={ask.what}
                    count={ask.tasks.length}
                    onClose={() => setAsk(undefined)}
                    onSay={(text) => {
                        const body = ask.what === "reject" ? { reason: text } : { to: text };
                        start(ask.what, body, ask.tasks);
                        setAsk(undefined);
                    }}
                />
            )}
        </>
    );
}
