import { i18n } from "@lingui/core";
import { afterEach, expect, test } from "vitest";
import { stepTitle } from "./stepWords";

// Files of tests share what they import.
afterEach(() => i18n.activate("en"));

test("steps are called by their name in the language of the viewer", () => {
    i18n.activate("th");
    expect(stepTitle("wait", "Wait")).toBe("รอ");
    expect(stepTitle("of_tomorrow", "Of tomorrow")).toBe("Of tomorrow");
    i18n.activate("en");
    expect(stepTitle("wait", "Wait")).toBe("Wait");
});
