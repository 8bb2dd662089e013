import { expect, test } from "vitest";
import { conditionText, plainReason } from "./condition";

test("a condition is said as a person would", () => {
    const plan = { path: "data.plan", operator: "=", value: "pro" };
    expect(conditionText(plan)).toBe('data.plan = "pro"');
    const total = { path: "data.total", operator: ">", value: 5 };
    expect(conditionText({ all: [plan, total] })).toBe('data.plan = "pro" and data.total > 5');
});

test("what is not understood stays JSON", () => {
    for (const rule of [{ not: { path: "a" } }, { path: "a", operator: "=", more: 1 }, "x", []]) {
        expect(conditionText(rule)).toBe(JSON.stringify(rule));
    }
});

test("a reason ends with the condition in words", () => {
    const json = '{"path":"data.plan","value":"pro","operator":"="}';
    expect(plainReason(`It is not what is asked for: ${json}`)).toBe(
        'It is not what is asked for: data.plan = "pro"',
    );
    for (const text of ["no condition", "half: {", "<b>: {x}"])
        expect(plainReason(text)).toBe(text);
});
