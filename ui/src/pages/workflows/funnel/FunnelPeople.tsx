import { SegmentedControl } from "@mantine/core";
import { today } from "@/data/clock";
import { useWords } from "@/words";
import { PeoplePanel } from "../canvas/PeoplePanel";
import type { Workflow } from "../data";
import type { Address } from "../useAddress";
import classes from "./Funnel.module.css";
import { readRange } from "./range";
import { cameTo, fateOf } from "./rates";
import type { FunnelNode } from "./useFunnel";
import { funnelWords } from "./words";

interface Props {
    workflow: Workflow;
    nodes: FunnelNode[];
    found: Address;
    set: (next: { at?: string | undefined; out?: string | undefined }) => void;
}

/** Who did not go on from a step, or still waits there; or all whose runs ended in one way. */
export function FunnelPeople({ workflow, nodes, found, set }: Props) {
    const t = useWords(funnelWords);
    const { at, out, version } = found;
    const node = nodes.find((one) => one.node === at);
    const fate = node && fateOf({ ...node, entered: cameTo(node) });
    return (
        <PeoplePanel
            name={workflow.name}
            definition={workflow.definition}
            at={at}
            ended={out}
            within={readRange(found.range, today())}
            version={version}
            waiting={node?.waiting ?? 0}
            close={() => set({ at: undefined, out: undefined })}
            choice={
                fate && (
                    <SegmentedControl
                        className={classes.which ?? ""}
                        fullWidth
                        aria-label={t("whichPeople")}
                        value={out ? "left" : "waiting"}
                        data={[
                            { value: "left", label: t("dropOff", { count: fate.lost }) },
                            { value: "waiting", label: t("waitThere", { count: node.waiting }) },
                        ]}
                        onChange={(next) => set({ out: next === "left" ? "ended" : undefined })}
                    />
                )
            }
        />
    );
}
