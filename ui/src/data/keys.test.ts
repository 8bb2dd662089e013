import { describe, expect, test } from "vitest";
import { pressed } from "./keys";

const press = (code: string, key: string, held = "") => ({
    code,
    key,
    shiftKey: held.includes("shift"),
    ctrlKey: held.includes("ctrl"),
    metaKey: held.includes("cmd"),
    altKey: held.includes("alt"),
});

describe("keys", () => {
    test.each([
        ["a Thai layout", press("KeyG", "เ"), "g"],
        ["a bracket of a Thai layout", press("KeyZ", "(", "shift"), "( Z"],
        ["redo on a Thai layout", press("KeyZ", "(", "ctrl shift"), "mod+( mod+Z"],
        ["a Thai layout with Ctrl", press("KeyK", "า", "ctrl"), "mod+k"],
        ["Ctrl+Shift on a Thai layout", press("KeyS", "ฆ", "ctrl shift"), "mod+S"],
        ["digits of a Thai layout", press("Digit0", "จ"), "0"],
        ["signs of a Thai layout", press("Slash", "ฝ"), "/"],
        ["a sign that the Thai layout has elsewhere", press("Digit3", "-"), "-"],
        ["a Cyrillic layout", press("KeyZ", "я", "ctrl"), "mod+z"],
        ["Cyrillic with Shift", press("KeyZ", "Я", "ctrl shift"), "mod+Z"],
        ["a sheet of keys on a Cyrillic layout", press("Slash", "ё", "shift"), "?"],
        // Latin layouts name the letter, wherever it is.
        ["French", press("KeyQ", "a", "ctrl"), "mod+a"],
        ["Dvorak", press("Semicolon", "s", "ctrl"), "mod+s"],
        ["Caps Lock", press("KeyZ", "Z", "ctrl"), "mod+z"],
        ["Alt on a Mac", press("KeyT", "ˇ", "alt shift"), "alt+T"],
        ["a dead key", press("KeyE", "Dead", "alt"), "alt+e"],
        ["an arrow", press("ArrowUp", "ArrowUp", "shift"), "shift+ArrowUp"],
        ["Cmd", press("Enter", "Enter", "cmd"), "mod+Enter"],
        ["an emoji", press("", "🙂"), "🙂"],
    ])("%s", (_, event, keys) => {
        expect(pressed(event).join(" ")).toBe(keys);
    });
});
