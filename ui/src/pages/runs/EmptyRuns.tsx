import { IconListDetails } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { DemoButton } from "@/components/DemoButton";
import { EmptyState } from "@/components/EmptyState";
import { howToRun, howToStart } from "@/components/howTo";
import { api, call, type Schemas } from "@/data/api";
import { hello } from "@/data/demos";
import { useWords } from "@/words";
import { StartButton } from "./StartButton";
import { runsWords } from "./words";

/** No run yet: how to start one of a workflow that is there, or a demo where none is. */
export function EmptyRuns() {
    const t = useWords(runsWords);
    const workflows = useQuery({
        queryKey: ["workflows", "first"],
        queryFn: ({ signal }) =>
            call(api.GET("/v1/workflows", { params: { query: { limit: 1 } }, signal })),
        select: (page) => page.data as Schemas["Workflow"][],
    });
    const first = workflows.data?.[0]?.name;
    return (
        <EmptyState
            icon={IconListDetails}
            title={t("emptyTitle")}
            text={t("emptyText")}
            {...(first ? howToStart(first) : howToRun(hello))}
        >
            {first && <StartButton variant="light" />}
            {workflows.data && !first && <DemoButton demo="hello">{t("demo")}</DemoButton>}
        </EmptyState>
    );
}
