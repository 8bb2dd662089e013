import { IconCircleCheck } from "@tabler/icons-react";
import { DemoButton } from "@/components/DemoButton";
import { EmptyState } from "@/components/EmptyState";
import { howToRun } from "@/components/howTo";
import { failing } from "@/data/demos";
import { useWords } from "@/words";
import { failuresWords } from "./words";

/** No failure, which is as it should be; and how to see what one looks like. */
export function EmptyFailures({ muted }: { muted: boolean }) {
    const t = useWords(failuresWords);
    if (muted) return <EmptyState icon={IconCircleCheck} title={t("mutedEmpty")} />;
    return (
        <EmptyState
            icon={IconCircleCheck}
            title={t("empty")}
            text={t("emptyText")}
            {...howToRun(failing)}
        >
            <DemoButton demo="failing">{t("demo")}</DemoButton>
        </EmptyState>
    );
}
