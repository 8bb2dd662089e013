import { useEffect } from "react";
import { useShortcuts } from "@/data/keys";
import { useWords } from "@/words";
import { handlesOf } from "./handles";
import type { Types } from "./types";
import { type Editing, focusCanvas, type Selection } from "./useEditing";
import { type Direction, nextEdge, reach, stepTo } from "./walk";
import { builderWords } from "./words";

interface Options {
    types: Types;
    editing: Editing;
    selection: Selection;
    /** Asks for a step behind this one. */
    offer: (from: string | undefined, ways: string[]) => void;
    connect: (from: string, ways: string[]) => void;
    publish: () => void;
    test: () => void;
    nextProblem: () => void;
}

/** The canvas, or nothing in particular, has the focus. */
const onCanvas = (event: Event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target === document.body) return true;
    return target.closest("[data-canvas]") !== null && target.closest("button") === null;
};

const isField = (target: EventTarget | null) =>
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]");

/** A dialog or a list is open, which Escape closes. Closed lists stay in the page, hidden. */
const isAsked = () =>
    [...document.querySelectorAll("[role=dialog], [role=listbox]")].some((one) =>
        one.checkVisibility(),
    );

/** Copies by the events of the browser: they need no permission, and work between tabs. */
function useClipboard({ copy, paste, remove }: Editing) {
    useEffect(() => {
        const take = (event: ClipboardEvent) => {
            const text = isField(event.target) ? undefined : copy();
            if (text === undefined || window.getSelection()?.toString()) return;
            event.clipboardData?.setData("text/plain", text);
            event.preventDefault();
            if (event.type === "cut") remove();
        };
        const put = (event: ClipboardEvent) => {
            if (isField(event.target)) return;
            if (paste(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
        };
        // Without them a browser may think that there is nothing to copy: no text is marked.
        const mayTake = (event: Event) => {
            if (!isField(event.target) && copy() !== undefined) event.preventDefault();
        };
        const mayPut = (event: Event) => {
            if (!isField(event.target)) event.preventDefault();
        };
        const heard: [string, EventListener][] = [
            ["beforecopy", mayTake],
            ["beforecut", mayTake],
            ["beforepaste", mayPut],
            ["copy", take as EventListener],
            ["cut", take as EventListener],
            ["paste", put as EventListener],
        ];
        for (const [name, hear] of heard) document.addEventListener(name, hear);
        return () => {
            for (const [name, hear] of heard) document.removeEventListener(name, hear);
        };
    });
}

/** What Ctrl+K does; the keys themselves are left to the browser, which needs no permission. */
function clipboardActs({ copy, paste, remove }: Editing) {
    const take = async () => {
        const text = copy();
        if (text !== undefined) await navigator.clipboard.writeText(text);
        return text !== undefined;
    };
    const put = async () => paste(await navigator.clipboard.readText());
    // Who does not let the page read what is copied has the keys.
    const refused = () => undefined;
    return {
        copy: () => void take().catch(refused),
        cut: () => void take().then((taken) => taken && remove(), refused),
        paste: () => void put().catch(refused),
    };
}

const focusField = (name?: string) => {
    const form = document.querySelector("[data-form]");
    const field = form?.querySelector<HTMLElement>(
        name ? `[data-field="${name}"]` : "[data-settings] input, [data-settings] textarea",
    );
    (field ?? form?.querySelector<HTMLElement>("input, textarea"))?.focus();
    // A name is written anew, not behind the old one.
    if (name && field instanceof HTMLInputElement) field.select();
};

/** The builder by keyboard alone. */
export function useKeyboard(options: Options): void {
    const t = useWords(builderWords);
    const { types, editing, selection } = options;
    const { selected, select, edge, selectEdge } = selection;
    const { history, now, flow, steps } = editing;
    useClipboard(editing);
    const current = steps[0];
    const ways = (id: string | undefined) => {
        const node = now().definition.nodes.find((one) => one.id === id);
        return node ? handlesOf(node, types[node.type]) : [];
    };
    const go = (direction: Direction) => {
        const to = stepTo(now(), current, direction);
        if (to) editing.pick([to]);
        focusCanvas();
    };
    const native = clipboardActs(editing);
    const when = () => false;
    const arrow = (key: string, direction: Direction, dx: number, dy: number) => [
        { keys: `Arrow${key}`, label: t(direction), run: () => go(direction), when: onCanvas },
        {
            keys: `alt+Arrow${key}`,
            label: t("moveSteps"),
            run: () => editing.move(dx, dy),
            when: onCanvas,
        },
    ];
    useShortcuts(t("keys"), [
        { keys: "a", label: t("add"), run: () => options.offer(current, ways(current)) },
        { keys: "/", label: t("add"), run: () => options.offer(current, ways(current)) },
        {
            keys: "Tab",
            label: t("addAtStep"),
            run: () => options.offer(current, ways(current)),
            // Without a chosen step it leads on, out of the graph: Escape chooses none.
            when: (event) => current !== undefined && onCanvas(event),
        },
        {
            keys: "c",
            label: t("connect"),
            run: () => current && options.connect(current, ways(current)),
        },
        ...arrow("Up", "up", 0, -8),
        ...arrow("Down", "down", 0, 8),
        ...arrow("Left", "left", -8, 0),
        ...arrow("Right", "right", 8, 0),
        {
            keys: "shift+ArrowDown",
            label: t("selectBehind"),
            run: () => select(reach(now(), steps, "down")),
            when: onCanvas,
        },
        {
            keys: "shift+ArrowUp",
            label: t("selectBefore"),
            run: () => select(reach(now(), steps, "up")),
            when: onCanvas,
        },
        {
            keys: "e",
            label: t("selectEdge"),
            run: () => current && selectEdge(nextEdge(now(), current, edge)),
        },
        { keys: "Enter", label: t("editStep"), run: () => focusField(), when: onCanvas },
        { keys: "F2", label: t("rename"), run: () => focusField("name") },
        {
            keys: "Escape",
            label: t("backToCanvas"),
            typing: true,
            when: () => !isAsked(),
            run: () => {
                if (isField(document.activeElement)) return focusCanvas();
                if (selected.length > 0 || edge) editing.pick([]);
            },
        },
        { keys: "d", label: t("switchOff"), run: editing.switchOff },
        { keys: "Delete", label: t("remove"), run: editing.remove },
        { keys: "Backspace", label: t("remove"), run: editing.remove },
        { keys: "mod+z", label: t("undo"), run: history.undo },
        { keys: "mod+Z", label: t("redo"), run: history.redo },
        { keys: "mod+y", label: t("redo"), run: history.redo },
        { keys: "mod+c", label: t("copyNodes"), run: native.copy, when },
        { keys: "mod+x", label: t("cutNodes"), run: native.cut, when },
        { keys: "mod+v", label: t("pasteNodes"), run: native.paste, when },
        {
            keys: "mod+d",
            label: t("duplicate"),
            run: () => {
                const text = editing.copy();
                if (text) editing.paste(text);
            },
        },
        {
            keys: "mod+a",
            label: t("selectAll"),
            run: () => select(now().definition.nodes.map((node) => node.id)),
        },
        { keys: "n", label: t("addNote"), run: editing.note },
        { keys: "t", label: t("tidy"), run: editing.arrange },
        { keys: "alt+T", label: t("tidy"), run: editing.arrange },
        { keys: "+", label: t("zoomIn"), run: () => void flow.zoomIn() },
        { keys: "-", label: t("zoomOut"), run: () => void flow.zoomOut() },
        { keys: "0", label: t("zoomReset"), run: () => void flow.zoomTo(1) },
        { keys: "1", label: t("fit"), run: () => void flow.fitView({ maxZoom: 1, padding: 0.2 }) },
        { keys: "r", label: t("testRun"), run: options.test },
        { keys: "!", label: t("nextProblem"), run: options.nextProblem },
        { keys: "mod+Enter", label: t("publish"), run: options.publish, typing: true },
    ]);
}
