import { Panel, type ReactFlowState, useReactFlow, useStoreApi } from "@xyflow/react";
import { type PointerEvent, useEffect, useRef } from "react";
import { useWords } from "@/words";
import classes from "./GraphMap.module.css";
import { nodeHeight, nodeWidth } from "./layout";
import { builderWords } from "./words";

const width = 140;
const height = 105;
const margin = 4;

interface Box {
    x: number;
    y: number;
    right: number;
    bottom: number;
}

function seenOf({ transform: [x, y, zoom], width: wide, height: high }: ReactFlowState): Box {
    return { x: -x / zoom, y: -y / zoom, right: (wide - x) / zoom, bottom: (high - y) / zoom };
}

/** What holds all steps and the part that is seen. */
function boundsOf(state: ReactFlowState): Box {
    const box = seenOf(state);
    for (const { internals } of state.nodeLookup.values()) {
        const { x, y } = internals.positionAbsolute;
        if (x < box.x) box.x = x;
        if (y < box.y) box.y = y;
        if (x + nodeWidth > box.right) box.right = x + nodeWidth;
        if (y + nodeHeight > box.bottom) box.bottom = y + nodeHeight;
    }
    return box;
}

/** How a place of the graph becomes one of the map. */
function scaleOf(box: Box) {
    const zoom = Math.min(
        (width - 2 * margin) / (box.right - box.x),
        (height - 2 * margin) / (box.bottom - box.y),
    );
    return {
        zoom,
        x: (width - (box.right + box.x) * zoom) / 2,
        y: (height - (box.bottom + box.y) * zoom) / 2,
    };
}

function paint(canvas: HTMLCanvasElement, state: ReactFlowState): void {
    const pen = canvas.getContext("2d");
    if (!pen) return;
    const dense = window.devicePixelRatio || 1;
    const style = getComputedStyle(canvas);
    if (canvas.width !== width * dense) {
        canvas.width = width * dense;
        canvas.height = height * dense;
    }
    const { zoom, x, y } = scaleOf(boundsOf(state));
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    // On whole dots, or small steps become a haze.
    const wide = Math.max(1, Math.round(nodeWidth * zoom));
    const high = Math.max(1, Math.round(nodeHeight * zoom));
    const step = (at: { x: number; y: number }) =>
        pen.fillRect(Math.round(at.x * zoom + x), Math.round(at.y * zoom + y), wide, high);
    pen.fillStyle = style.color;
    const chosen: { x: number; y: number }[] = [];
    for (const { internals, selected } of state.nodeLookup.values()) {
        if (selected) chosen.push(internals.positionAbsolute);
        else step(internals.positionAbsolute);
    }
    pen.fillStyle = style.caretColor;
    for (const at of chosen) step(at);
    const seen = seenOf(state);
    const [left, top] = [seen.x * zoom + x, seen.y * zoom + y];
    const [across, down] = [(seen.right - seen.x) * zoom, (seen.bottom - seen.y) * zoom];
    pen.fillStyle = style.textDecorationColor;
    pen.beginPath();
    pen.rect(0, 0, width, height);
    pen.rect(left, top, across, down);
    pen.fill("evenodd");
    pen.strokeStyle = style.caretColor;
    pen.strokeRect(left, top, across, down);
}

/**
 * All of the graph, small, with the part that is seen; a pull or a click goes elsewhere. It is drawn
 * at once: an element for each step would have to look at every move whether it has changed.
 */
export function GraphMap() {
    const t = useWords(builderWords);
    const store = useStoreApi();
    const { setCenter, zoomIn, zoomOut } = useReactFlow();
    const ref = useRef<HTMLCanvasElement>(null);
    const pulled = useRef<ReturnType<typeof scaleOf>>(undefined);
    useEffect(() => {
        let asked = 0;
        const draw = () => {
            asked = 0;
            if (ref.current) paint(ref.current, store.getState());
        };
        const ask = () => {
            asked ||= requestAnimationFrame(draw);
        };
        ask();
        const leave = store.subscribe(ask);
        // The colours change with the scheme.
        const scheme = new MutationObserver(ask);
        scheme.observe(document.documentElement, { attributes: true });
        return () => {
            leave();
            scheme.disconnect();
            cancelAnimationFrame(asked);
        };
    }, [store]);
    const goTo = (event: PointerEvent<HTMLCanvasElement>) => {
        const scale = pulled.current;
        if (!scale) return;
        const box = event.currentTarget.getBoundingClientRect();
        const x = (event.clientX - box.x - scale.x) / scale.zoom;
        const y = (event.clientY - box.y - scale.y) / scale.zoom;
        void setCenter(x, y, { zoom: store.getState().transform[2] });
    };
    return (
        <Panel position="bottom-right" className={classes.map ?? ""}>
            <canvas
                ref={ref}
                role="img"
                aria-label={t("map")}
                style={{ width, height }}
                onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    // The map stays as it is while it is pulled.
                    pulled.current = scaleOf(boundsOf(store.getState()));
                    goTo(event);
                }}
                onPointerMove={goTo}
                onPointerUp={() => {
                    pulled.current = undefined;
                }}
                onPointerCancel={() => {
                    pulled.current = undefined;
                }}
                onWheel={(event) => void (event.deltaY < 0 ? zoomIn() : zoomOut())}
            />
        </Panel>
    );
}
