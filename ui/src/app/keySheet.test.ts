import { expect, it } from "vitest";
import { pressesOf } from "./KeySheet";

it("says what is pressed together, Shift of a capital letter too", () => {
    expect(pressesOf("mod+z")).toEqual(["Ctrl", "Z"]);
    expect(pressesOf("mod+Z")).toEqual(["Ctrl", "Shift", "Z"]);
    expect(pressesOf("alt+ArrowLeft")).toEqual(["Alt", "←"]);
    expect(pressesOf("?")).toEqual(["?"]);
    expect(pressesOf("+")).toEqual(["+"]);
    expect(pressesOf("Escape")).toEqual(["Esc"]);
});
