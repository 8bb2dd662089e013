import type { ReactFlowProps } from "@xyflow/react";
import { useMemo } from "react";
import { useWords } from "@/words";
import { builderWords } from "./words";

type Labels = NonNullable<ReactFlowProps["ariaLabelConfig"]>;

/** What the buttons of a graph are called: by itself the library says it in English. */
export function useGraphLabels(): Labels {
    const t = useWords(builderWords);
    return useMemo(
        () => ({
            "controls.ariaLabel": t("zoom"),
            "controls.zoomIn.ariaLabel": t("zoomIn"),
            "controls.zoomOut.ariaLabel": t("zoomOut"),
            "controls.fitView.ariaLabel": t("fit"),
        }),
        [t],
    );
}
