import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { NotAllowed } from "@/components/NotAllowed";
import { Page } from "@/components/Page";
import { PageTabs } from "@/components/PageTabs";
import type { TabProps } from "@/components/tab";
import { allows, useSession } from "@/data/session";
import { useWords } from "@/words";
import { JobsTab } from "./JobsTab";
import { LimitsTab } from "./LimitsTab";
import { OverviewTab } from "./OverviewTab";
import { QueuesTab } from "./QueuesTab";
import { SchedulesTab } from "./SchedulesTab";
import { TargetsTab } from "./TargetsTab";
import { WebhooksTab } from "./WebhooksTab";
import { WorkersTab } from "./WorkersTab";
import { operationsWords } from "./words";

interface Tab {
    id:
        | "overview"
        | "queues"
        | "schedules"
        | "limits"
        | "targets"
        | "webhooks"
        | "jobs"
        | "workers";
    scope: string;
    /** Of the whole database: only for the tenant `default`. */
    service?: boolean;
    view: ComponentType<TabProps>;
}

const all: Tab[] = [
    { id: "overview", scope: "metrics:read", service: true, view: OverviewTab },
    { id: "queues", scope: "metrics:read", service: true, view: QueuesTab },
    { id: "schedules", scope: "workflows:read", view: SchedulesTab },
    { id: "limits", scope: "runs:read", view: LimitsTab },
    { id: "targets", scope: "runs:read", view: TargetsTab },
    { id: "webhooks", scope: "admin", view: WebhooksTab },
    { id: "jobs", scope: "runs:read", view: JobsTab },
    { id: "workers", scope: "metrics:read", service: true, view: WorkersTab },
];

/** How the service does, and what can be done about it. */
export function OperationsPage() {
    const t = useWords(operationsWords);
    const navigate = useNavigate();
    const { tab, item, job, status } = useSearch({ from: "/shell/operations" });
    const session = useSession((state) => state.session);
    const tabs = all.filter(
        (one) =>
            allows(session?.scopes ?? [], one.scope) &&
            (!one.service || session?.tenant === "default"),
    );
    const wanted = job ? "jobs" : tab;
    const current = all.find((one) => one.id === wanted) ?? tabs[0];
    if (!current) return null;
    const bar = (
        <PageTabs
            label={t("title")}
            to="/operations"
            current={current.id}
            tabs={tabs.map((one) => ({ id: one.id, title: t(one.id) }))}
        />
    );
    // A link of a person who may more.
    if (!tabs.includes(current)) {
        return (
            <Page title={t("title")} bar={bar}>
                <NotAllowed scope={current.scope} />
            </Page>
        );
    }
    const View = current.view;
    return (
        <View
            title={t("title")}
            item={job ?? item}
            show={(next) =>
                void navigate({
                    to: "/operations",
                    search: {
                        tab: current.id,
                        ...(status ? { status } : {}),
                        ...(next === undefined ? {} : { item: next }),
                    },
                    replace: next === undefined,
                })
            }
            tabs={bar}
        />
    );
}
