import { expect, it } from "vitest";
import { pressesOf, sheetOf } from "./KeySheet";

it("says what is pressed together, Shift of a capital letter too", () => {
    expect(pressesOf("mod+z")).toEqual(["Ctrl", "Z"]);
    expect(pressesOf("mod+Z")).toEqual(["Ctrl", "Shift", "Z"]);
    expect(pressesOf("alt+ArrowLeft")).toEqual(["Alt", "←"]);
    expect(pressesOf("?")).toEqual(["?"]);
    expect(pressesOf("+")).toEqual(["+"]);
    expect(pressesOf("Escape")).toEqual(["Esc"]);
});

it("shows each name once, and nothing that is empty", () => {
    const run = () => undefined;
    const next = { keys: "j", label: "Next task", run };
    const approve = { keys: "a", label: "Approve", run };
    const other = { keys: "j", label: "Next row", run };
    const sheet = sheetOf([
        { name: "Go to", shortcuts: [approve] },
        { name: "Inbox", shortcuts: [next] },
        { name: "Rows", shortcuts: [] },
        { name: "Inbox", shortcuts: [approve, other] },
    ]);
    expect(sheet).toEqual([
        { name: "Go to", shortcuts: [approve] },
        { name: "Inbox", shortcuts: [other, approve] },
    ]);
});
