import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { readOpenApi } from "../../../clients/typescript/scripts/openapi.mjs";
import { inboxWords } from "../pages/inbox/words";
import { messagesWords } from "../pages/messages/words";
import { triggerWords } from "../pages/workflows/triggers/words";
import type { WordSet } from ".";
import { said } from "./said";

interface Schema {
    enum?: (string | null)[];
    properties?: Record<string, Schema>;
    items?: Schema;
}

const schemas: Record<string, Schema> = readOpenApi().components.schemas;

/** What a place such as `Event.type` may hold, as the contract of the API says. */
function wordsAt(place: string): string[] {
    const [name, ...path] = place.split(".");
    let at: Schema | undefined = schemas[name!];
    for (const part of path) at = part === "[]" ? at?.items : at?.properties?.[part];
    return (at?.enum ?? []).filter((word) => word !== null);
}

/** Where the pages show a word of the server, and what they call each. */
const shown: [string, WordSet<string>, prefix?: string][] = [
    ["RunStatus", said.status],
    ["Step.status", said.status],
    ["Step.attempts.[].outcome", said.status],
    ["TaskState", said.status],
    ["Job.status", said.status],
    ["Schedule.status", said.status],
    ["Finding.verdict", said.status],
    ["Worker.status", said.status],
    ["Rehearsal.status", said.status],
    ["MessageState", said.status],
    ["MessageFact.kind", said.status],
    ["TimelineEntry.status", said.status],
    ["SkipReason", said.reason],
    ["SkipReason", messagesWords, "why_"],
    ["RunError.class", said.errorClass],
    ["Event.type", said.event],
    ["Job.kind", said.job],
    ["BulkRuns.action", said.job],
    ["Role", said.role],
    ["AuditEntry.door", said.door],
    ["TaskDecision.action", inboxWords, "did_"],
    ["EventStart.reason", triggerWords, "reason_"],
];

describe("words of the server", () => {
    test.each(shown)("%s has words in the viewer's language", (place, set, prefix = "") => {
        const words = wordsAt(place);
        expect(words).not.toEqual([]);
        expect(words.filter((word) => !set.keys.includes(prefix + word))).toEqual([]);
    });
});
