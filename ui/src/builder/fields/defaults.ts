import type { NodeType } from "../handles";

// What a new step begins with, where the example of its type would mislead.
const begins: Record<string, Record<string, unknown>> = {
    wait: { duration: "1d" },
    message: { channel: "sms", text: "" },
    condition: { path: "", operator: "=", value: "" },
    split: {
        variants: [
            { name: "a", share: 50 },
            { name: "b", share: 50 },
        ],
    },
    human: { title: "" },
};

/** The settings of a step that was just added. */
export function configOf(type: NodeType | undefined): Record<string, unknown> {
    if (!type) return {};
    return structuredClone(begins[type.type] ?? type.example?.config ?? {});
}
