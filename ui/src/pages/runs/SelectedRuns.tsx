import { useState } from "react";
import { RunLink } from "@/components/RunLink";
import { RefusedAlert } from "@/components/SelectionBar";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Action } from "./actions";
import { BulkDialog } from "./BulkDialog";
import { type Count, counted, totalOf } from "./counts";
import type { Filter } from "./filter";
import { RunSelection } from "./RunSelection";
import type { useSelection } from "./useSelection";

interface Props {
    selection: ReturnType<typeof useSelection>;
    filter: Filter;
    counts: ReadonlyMap<string, Count> | undefined;
}

/** Below a list of runs: what can be done to those that are selected, and what could not be done. */
export function SelectedRuns({ selection, filter, counts }: Props) {
    const c = useWords(commonWords);
    const [bulk, setBulk] = useState<Action>();
    const { runs, many, clear } = selection;
    const total = counts ? counted(totalOf(counts, filter.status)) : "…";
    return (
        <>
            <RefusedAlert
                many={many}
                title={c("notDone", { count: many.refused.length })}
                name={(id) => <RunLink id={id} />}
            />
            <RunSelection
                runs={runs}
                many={many}
                whole={selection.whole ? total : undefined}
                status={filter.status}
                takeWhole={selection.takeWhole}
                onBulk={setBulk}
                clear={clear}
            />
            {bulk && <BulkDialog filter={filter} first={bulk} close={() => setBulk(undefined)} />}
        </>
    );
}
