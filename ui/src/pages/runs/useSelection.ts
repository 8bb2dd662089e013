import { useState } from "react";
import type { Keys } from "@/components/table/select";
import type { Schemas } from "@/data/api";
import { queryClient } from "@/data/queries";
import { useMany } from "@/data/useMany";
import { useWords } from "@/words";
import { runsWords } from "./words";

type Run = Schemas["Run"];

const none: Keys = new Set();

/** Which runs of the list are meant: some of its rows, or also those that it has not read yet. */
export function useSelection(rows: readonly Run[], more: boolean) {
    const t = useWords(runsWords);
    const [selected, setSelected] = useState<Keys>(none);
    const [whole, setWhole] = useState(false);
    const select = (keys: Keys) => {
        setSelected(keys);
        setWhole(false);
    };
    const clear = () => select(none);
    const many = useMany({
        atOnce: 4,
        said: (count) => t("acted", { count }),
        changes: [["runs"]],
        onDone: clear,
    });
    const runs = selected.size > 0 ? rows.filter((run) => selected.has(run.id)) : [];
    // All rows there are, and the list goes on: then the rest of it may be meant, too.
    const offersWhole = more && runs.length > 0 && runs.length === rows.length;
    return {
        selected,
        runs,
        whole,
        select,
        clear,
        many,
        takeWhole: offersWhole
            ? () => {
                  setWhole(true);
                  // How many that is must not be what it was a while ago.
                  void queryClient.invalidateQueries({ queryKey: ["runs", "counts"] });
              }
            : undefined,
    };
}
