import { Tabs } from "@mantine/core";
import {
    IconBinaryTree,
    IconBraces,
    IconListCheck,
    IconNotes,
    IconTimeline,
} from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { ErrorView } from "@/components/ErrorView";
import { IdText } from "@/components/IdText";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { StatusBadge } from "@/components/StatusBadge";
import { lazyPart } from "@/data/parts";
import { useWords } from "@/words";
import { type Ask, Dialogs } from "./actions/Dialogs";
import { RunActions } from "./actions/RunActions";
import { Facts } from "./Facts";
import { LogView } from "./LogView";
import { pauseOf } from "./model";
import { RunData } from "./RunData";
import classes from "./RunPage.module.css";
import { StepList } from "./StepList";
import { StepPanel } from "./StepPanel";
import { useRun } from "./useRun";
import { Waterfall } from "./Waterfall";
import { WhyBanner } from "./WhyBanner";
import { runWords } from "./words";

const GraphView = lazyPart(async () => (await import("./graph/GraphView")).GraphView);

const tabs = [
    { value: "timeline", icon: IconTimeline },
    { value: "graph", icon: IconBinaryTree },
    { value: "steps", icon: IconListCheck },
    { value: "log", icon: IconNotes },
    { value: "data", icon: IconBraces },
] as const;

export function RunPage() {
    const t = useWords(runWords);
    const { id } = useParams({ from: "/shell/runs/$id" });
    const search = useSearch({ from: "/shell/runs/$id" });
    const navigate = useNavigate();
    const [ask, setAsk] = useState<Ask>();
    const { run: query, why, log } = useRun(id);
    const run = query.data;
    const parents = [{ title: t("runs"), to: "/runs" }];
    if (query.error && !run) {
        return (
            <Page title={id} parents={parents}>
                <ErrorView error={query.error} retry={() => void query.refetch()} />
            </Page>
        );
    }
    if (!run) return <Loading />;
    const set = (next: { tab?: string; step?: string | undefined; at?: string | undefined }) =>
        void navigate({
            to: "/runs/$id",
            params: { id },
            search: (old) => clean({ ...old, ...next }),
            replace: true,
        });
    const tab = search.tab ?? "timeline";
    const choose = (step: string) => set({ step: step === search.step ? undefined : step });
    const paused = pauseOf(log.events);
    const step = log.steps.find((one) => one.step === search.step);
    return (
        <Page
            title={run.workflow}
            parents={parents}
            filled
            aside={
                <>
                    <StatusBadge status={paused && !run.closed_at ? "paused" : run.status} />
                    <span className={classes.id}>
                        <IdText id={run.id} short />
                    </span>
                </>
            }
            actions={<RunActions run={run} paused={Boolean(paused)} log={log} ask={setAsk} />}
        >
            <WhyBanner run={run} why={why.data} log={log} ask={setAsk} />
            <Facts run={run} trace={log.trace} />
            <Tabs
                value={tab}
                onChange={(value) => set({ tab: value ?? "timeline" })}
                className={classes.tabs ?? ""}
                keepMounted={false}
            >
                <Tabs.List aria-label={t("view")}>
                    {tabs.map(({ value, icon: Icon }) => (
                        <Tabs.Tab
                            key={value}
                            value={value}
                            leftSection={<Icon size={14} stroke={1.6} />}
                        >
                            {t(value)}
                        </Tabs.Tab>
                    ))}
                </Tabs.List>
                <div className={classes.body}>
                    <div className={classes.main}>
                        {log.error && !log.ready ? (
                            <ErrorView error={log.error} />
                        ) : (
                            <>
                                <Tabs.Panel value="timeline" className={classes.panel ?? ""}>
                                    <Waterfall
                                        run={run}
                                        log={log}
                                        chosen={search.step}
                                        choose={choose}
                                    />
                                </Tabs.Panel>
                                <Tabs.Panel value="graph" className={classes.panel ?? ""}>
                                    <Suspense fallback={<Loading />}>
                                        <GraphView
                                            log={log}
                                            at={search.at}
                                            travel={(at) => set({ at })}
                                            chosen={search.step}
                                            choose={choose}
                                        />
                                    </Suspense>
                                </Tabs.Panel>
                                <Tabs.Panel value="steps" className={classes.panel ?? ""}>
                                    <StepList
                                        steps={log.steps}
                                        events={log.events}
                                        chosen={search.step}
                                        choose={choose}
                                    />
                                </Tabs.Panel>
                                <Tabs.Panel value="log" className={classes.panel ?? ""}>
                                    <LogView
                                        id={id}
                                        log={log}
                                        chosen={search.step}
                                        choose={choose}
                                    />
                                </Tabs.Panel>
                                <Tabs.Panel value="data" className={classes.panel ?? ""}>
                                    <RunData run={run} steps={log.steps} />
                                </Tabs.Panel>
                            </>
                        )}
                    </div>
                    {step && (
                        <StepPanel
                            run={run}
                            step={step}
                            events={log.events}
                            ask={setAsk}
                            close={() => set({ step: undefined })}
                        />
                    )}
                </div>
            </Tabs>
            {ask && <Dialogs run={run} ask={ask} close={() => setAsk(undefined)} />}
        </Page>
    );
}

function clean(search: Record<string, string | undefined>): Record<string, string> {
    return Object.fromEntries(
        Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
}
