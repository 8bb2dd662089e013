import type { ReactFlowProps } from "@xyflow/react";
import { useMemo } from "react";
import { defineWords, useWords } from "@/words";

export const graphWords = defineWords("graph", {
    en: {
        zoom: "Zoom",
        zoomIn: "Zoom in",
        zoomOut: "Zoom out",
        fit: "Fit to the window",
        step: "Enter or the space bar chooses a step.",
        way: "Enter or the space bar chooses a way.",
        edge: "From {from} to {to}",
    },
    th: {
        zoom: "ซูม",
        zoomIn: "ขยาย",
        zoomOut: "ย่อ",
        fit: "พอดีหน้าต่าง",
        step: "กด Enter หรือเว้นวรรคเพื่อเลือกขั้นตอน",
        way: "กด Enter หรือเว้นวรรคเพื่อเลือกเส้น",
        edge: "จาก {from} ไป {to}",
    },
});

type Labels = NonNullable<ReactFlowProps["ariaLabelConfig"]>;

/** What the parts of a graph are called: by itself the library says it in English. */
export function useGraphLabels(): Labels {
    const t = useWords(graphWords);
    return useMemo(
        () => ({
            "controls.ariaLabel": t("zoom"),
            "controls.zoomIn.ariaLabel": t("zoomIn"),
            "controls.zoomOut.ariaLabel": t("zoomOut"),
            "controls.fitView.ariaLabel": t("fit"),
            "node.a11yDescription.default": t("step"),
            "node.a11yDescription.keyboardDisabled": t("step"),
            "edge.a11yDescription.default": t("way"),
        }),
        [t],
    );
}
