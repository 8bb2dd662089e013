import { describe, expect, it } from "vitest";
import { draftOf } from "./layout";
import { createBuilder, createTyping } from "./store";
import { changeNode } from "./ways";

const begin = draftOf(
    {
        name: "first",
        nodes: [
            { id: "a", type: "message", config: {} },
            { id: "b", type: "wait", config: {} },
        ],
        edges: [],
    },
    null,
);

describe("gestures", () => {
    const build = () => {
        const now = { at: 0, field: {} as Element | null };
        const typing = createTyping(
            () => now.field,
            () => now.at,
        );
        const store = createBuilder(begin, typing);
        const write = (text: string, id = "a") =>
            store.getState().change((old) => changeNode(old, id, { config: { text } }));
        const past = () => store.temporal.getState().pastStates.length;
        return { now, store, write, past };
    };
    const textOf = (store: ReturnType<typeof createBuilder>) =>
        store.getState().draft.definition.nodes[0]?.config?.text;

    it("take letters that are typed at a stretch together", () => {
        const { now, store, write, past } = build();
        for (const text of ["H", "He", "Hey"]) {
            write(text);
            now.at += 200;
        }
        expect(past()).toBe(1);
        store.temporal.getState().undo();
        expect(store.getState().draft).toBe(begin);
        store.temporal.getState().redo();
        expect(textOf(store)).toBe("Hey");
    });
    it("end with a pause, with another field, and with an undo", () => {
        const { now, store, write, past } = build();
        write("H");
        now.at += 2000;
        write("He");
        expect(past()).toBe(2);
        now.field = {} as Element;
        write("Hey");
        expect(past()).toBe(3);
        store.temporal.getState().undo();
        write("Hex");
        expect(past()).toBe(3);
        expect(textOf(store)).toBe("Hex");
    });
    it("are one each where nothing is typed, or steps come and go", () => {
        const { now, store, write, past } = build();
        now.field = null;
        write("H");
        write("He");
        expect(past()).toBe(2);
        now.field = {} as Element;
        write("Hey");
        store.getState().change((old) => ({
            ...old,
            definition: { ...old.definition, nodes: old.definition.nodes.slice(1) },
        }));
        expect(past()).toBe(4);
    });
});
