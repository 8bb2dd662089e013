import { IconPlus } from "@tabler/icons-react";
import { useWords } from "@/words";
import classes from "./AddStep.module.css";
import type { GraphEdge, Place } from "./graph";
import { useTools } from "./types";
import { builderWords } from "./words";

interface Props {
    after?: Place;
    into?: GraphEdge;
    className?: string | undefined;
}

/** The "+" behind a way out or in the middle of an edge. A canvas has a thousand: it is plain. */
export function AddStep({ after, into, className }: Props) {
    const t = useWords(builderWords);
    const { offer } = useTools();
    const label = after ? t("addBehind", { handle: after.handle }) : t("addHere");
    return (
        <button
            type="button"
            aria-label={label}
            title={label}
            className={`${classes.plus} nodrag nopan ${className ?? ""}`}
            onClick={(event) => {
                event.stopPropagation();
                const box = event.currentTarget.getBoundingClientRect();
                offer?.(
                    { ...(after ? { after } : {}), ...(into ? { into } : {}) },
                    { x: box.right + 6, y: box.top },
                );
            }}
        >
            <IconPlus size={12} />
        </button>
    );
}
