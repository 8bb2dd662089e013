import { useNavigate } from "@tanstack/react-router";
import { api, call } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Run } from "../model";
import { runWords } from "../words";

/** What can be done to a run at once, without asking for anything. */
export function useRunActs(run: Run) {
    const t = useWords(runWords);
    const navigate = useNavigate();
    const path = { params: { path: { id: run.id } } };
    const changes = [["runs", run.id]];
    const pause = useAct({
        run: () => call(api.POST("/v1/runs/{id}/pause", { ...path, body: {} })),
        done: t("paused"),
        changes,
    });
    const resume = useAct({
        run: () => call(api.POST("/v1/runs/{id}/resume", { ...path, body: {} as never })),
        done: t("resumed"),
        changes,
    });
    const retry = useAct<void, { id: string }>({
        run: () => call(api.POST("/v1/runs/{id}/retry", path)) as Promise<{ id: string }>,
        done: t("retried"),
        changes,
        onDone: (made) => void navigate({ to: "/runs/$id", params: { id: made.id } }),
    });
    return { pause, resume, retry };
}
