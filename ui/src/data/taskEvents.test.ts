import { expect, test } from "vitest";
import type { LiveEvent } from "./live";
import { touchesTasks } from "./taskEvents";

const event = (type: string, run_id: string): LiveEvent => ({
    seq: 1,
    type,
    at: "2026-01-01T00:00:00Z",
    run_id,
    workflow: "w",
});

test("tasks change when runs begin to wait, and when a run that is shown goes on", () => {
    expect(touchesTasks([event("wait_started", "a")])).toBe(true);
    expect(touchesTasks([event("step_completed", "a")])).toBe(false);
    expect(touchesTasks([event("step_completed", "a")], [{ run_id: "b" }])).toBe(false);
    expect(touchesTasks([event("step_failed", "a")], [{ run_id: "a" }])).toBe(true);
});
