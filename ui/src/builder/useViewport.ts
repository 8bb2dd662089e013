import type { OnMove, Viewport } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";

const keyOf = (name: string) => `pawl.viewport.${name}`;

function readViewport(name: string): Viewport | undefined {
    try {
        const read = JSON.parse(localStorage.getItem(keyOf(name)) ?? "null");
        const fine = [read?.x, read?.y, read?.zoom].every((one) => Number.isFinite(one));
        return fine && read.zoom >= 0.1 && read.zoom <= 2 ? read : undefined;
    } catch {
        return undefined;
    }
}

/** The part of a workflow's canvas that was seen last; a new one is fitted into the window. */
export function useViewport(name: string) {
    const [kept] = useState(() => (name === "" ? undefined : readViewport(name)));
    const touched = useRef(false);
    useEffect(() => {
        const touch = () => {
            touched.current = true;
        };
        const kinds = ["pointerdown", "keydown"];
        for (const kind of kinds) window.addEventListener(kind, touch, true);
        return () => {
            for (const kind of kinds) window.removeEventListener(kind, touch, true);
        };
    }, []);
    const onMoveEnd: OnMove = (event, viewport) => {
        // Only what a person did, also by a key: fitting by itself is no wish.
        if ((!event && !touched.current) || name === "") return;
        try {
            localStorage.setItem(keyOf(name), JSON.stringify(viewport));
        } catch {
            // The browser keeps nothing.
        }
    };
    return { onMoveEnd, ...(kept ? { defaultViewport: kept } : { fitView: true }) };
}
