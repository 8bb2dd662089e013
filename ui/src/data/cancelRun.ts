import { say } from "@/words";
import { commonWords } from "@/words/common";
import { statusWords } from "@/words/statuses";
import { api, call, type Schemas } from "./api";

type Closed = (typeof statusWords)["keys"][number];

/**
 * Asks a run to stop. Fails if it has ended in another way meanwhile: the server then has nothing
 * to refuse, but the person must not read that it stops.
 */
export async function cancelRun(
    id: string,
    body: { reason?: string; force?: boolean },
): Promise<Schemas["Run"]> {
    const params = { path: { id } };
    const run = (await call(api.POST("/v1/runs/{id}/cancel", { params, body }))) as Schemas["Run"];
    if (run.closed_at && run.status !== "cancelled") {
        const status = say(statusWords, run.status as Closed);
        throw new Error(say(commonWords, "endedBefore", { status }));
    }
    return run;
}
