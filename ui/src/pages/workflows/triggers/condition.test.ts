import { i18n } from "@lingui/core";
import { expect, test } from "vitest";
import { say, type Values } from "@/words";
import { conditionText, reasonText } from "./condition";
import { triggerWords } from "./words";

const setLocale = (language: string) => i18n.activate(language);
const t = (key: (typeof triggerWords)["keys"][number], values?: Values) =>
    say(triggerWords, key, values);

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

test("why an event started nothing is said in the viewer's language", () => {
    setLocale("en");
    const json = '{"path":"data.plan","value":"pro","operator":"="}';
    const same = [
        "it has not been looked at yet",
        "it came before this version was published",
        "the workflow is not active",
        "the workflow is switched off: too many failures",
        "the subject had entered; reentry: once",
        "the subject had entered; reentry: while no run is open",
        "the subject had entered; reentry: after 30d",
        "its run is not kept any more, or was not started for a reason unknown here",
        "a problem that has no words: <b>",
    ];
    for (const one of same) expect(reasonText(one, t)).toBe(one);
    expect(reasonText(`it is not what a trigger asks for: ${json}`, t)).toBe(
        'it is not what a trigger asks for: data.plan = "pro"',
    );
    expect(reasonText("it is not what a trigger asks for: insert, {x", t)).toBe(
        "it is not what a trigger asks for: insert, {x",
    );
    setLocale("th");
    for (const one of same.slice(0, -1)) {
        expect(reasonText(one, t).replace("too many failures", "")).not.toMatch(/[a-ce-z]{3}/);
    }
    expect(reasonText(`the person is not as enter_if asks: {"any":[${json},${json}]}`, t)).toBe(
        'บุคคลนี้ไม่ตรงกับที่ enter_if ต้องการ: data.plan = "pro" หรือ data.plan = "pro"',
    );
});
