import { IconInbox } from "@tabler/icons-react";
import { DemoButton } from "@/components/DemoButton";
import { EmptyState } from "@/components/EmptyState";
import { useWords } from "@/words";
import { inboxWords } from "./words";

const data = { amount: 80, email: "ada@example.com" };
const make = "pawl new workflow refund --template approval && pawl workflows apply -f refund.yaml";

export function EmptyInbox({ decided }: { decided: boolean }) {
    const t = useWords(inboxWords);
    return (
        <EmptyState
            icon={IconInbox}
            title={decided ? t("decidedEmpty") : t("empty")}
            text={t("emptyText")}
            command={`${make} && pawl run refund --data '${JSON.stringify(data)}'`}
            curl={{ curl: "/v1/runs", method: "POST", body: { workflow: "refund", data } }}
        >
            {!decided && <DemoButton demo="approval">{t("demo")}</DemoButton>}
        </EmptyState>
    );
}
