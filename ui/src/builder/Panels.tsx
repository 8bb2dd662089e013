import { Tabs } from "@mantine/core";
import { useWords } from "@/words";
import classes from "./Builder.module.css";
import { ProblemList } from "./ProblemList";
import type { Problem } from "./problems";
import { SimulatePanel } from "./trial/SimulatePanel";
import { TrialPanel } from "./trial/TrialPanel";
import type { SimulationState } from "./trial/useSimulation";
import type { Trial } from "./trial/useTrial";
import { builderWords } from "./words";

export type Panel = "problems" | "test" | "simulate";

interface Props {
    panel: Panel;
    onPanel: (panel: Panel) => void;
    problems: Problem[];
    checking: boolean;
    trial: Trial;
    simulation: SimulationState;
    onPick: (problem: Problem) => void;
    onShow: (node: string) => void;
}

/** Below the graph: what is wrong, a test run, a simulation. */
export function Panels(props: Props) {
    const t = useWords(builderWords);
    const { panel, onPanel, problems, checking } = props;
    return (
        <Tabs
            value={panel}
            onChange={(next) => onPanel((next ?? "problems") as Panel)}
            className={classes.panels ?? ""}
            keepMounted={false}
        >
            <Tabs.List>
                <Tabs.Tab
                    value="problems"
                    data-checking={checking}
                    {...(problems.length > 0 ? { c: "red" } : {})}
                >
                    {checking ? t("checking") : t("problems", { count: problems.length })}
                </Tabs.Tab>
                <Tabs.Tab value="test">{t("testRun")}</Tabs.Tab>
                <Tabs.Tab value="simulate">{t("simulate")}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="problems">
                <ProblemList problems={problems} onPick={props.onPick} />
            </Tabs.Panel>
            <Tabs.Panel value="test">
                <TrialPanel trial={props.trial} problems={problems.length} onShow={props.onShow} />
            </Tabs.Panel>
            <Tabs.Panel value="simulate">
                <SimulatePanel simulation={props.simulation} problems={problems.length} />
            </Tabs.Panel>
        </Tabs>
    );
}
