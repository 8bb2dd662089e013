import { Button } from "@mantine/core";
import { IconStack } from "@tabler/icons-react";
import { EmptyState } from "@/components/EmptyState";
import { howToPublish } from "@/components/howTo";
import { define, queued } from "@/data/demos";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { operationsWords } from "./words";

const { command, curl } = howToPublish(queued);
const send = `psql "$DATABASE_URL" -c "select pgmq.send('demo_orders', '{\\"order\\": 17}')"`;

/** Those of Pawl are always there: where no other is, this says what one is for, and makes one. */
export function NoQueues() {
    const t = useWords(operationsWords);
    const may = useMay("workflows:write");
    const publish = useAct({
        run: () => define(queued),
        done: t("queueMade"),
        changes: [["queues"], ["workflows"]],
    });
    return (
        <EmptyState
            icon={IconStack}
            title={t("noQueues")}
            text={t("noQueuesText")}
            command={`${command} && ${send}`}
            curl={curl}
        >
            {may && (
                <Button
                    variant="light"
                    loading={publish.isPending}
                    onClick={() => publish.mutate()}
                >
                    {t("makeQueue")}
                </Button>
            )}
        </EmptyState>
    );
}
