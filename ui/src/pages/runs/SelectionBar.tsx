import { Button, CloseButton, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api, call, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import classes from "./RunsPage.module.css";
import { runsWords } from "./words";

type Run = Schemas["Run"];

const open = (run: Run) => ["queued", "running", "waiting"].includes(run.status);
const retriable = (run: Run) => ["failed", "cancelled"].includes(run.status);

const actions = {
    pause: { fits: open, act: (id: string) => api.POST("/v1/runs/{id}/pause", path(id)) },
    resume: { fits: open, act: (id: string) => api.POST("/v1/runs/{id}/resume", path(id)) },
    cancel: { fits: open, act: (id: string) => api.POST("/v1/runs/{id}/cancel", path(id)) },
    retry: { fits: retriable, act: (id: string) => api.POST("/v1/runs/{id}/retry", path(id)) },
    rerun: {
        fits: (run: Run) => !open(run),
        act: (id: string) => api.POST("/v1/runs/{id}/rerun", path(id)),
    },
} as const;

type Action = keyof typeof actions;

function path(id: string) {
    return { params: { path: { id } }, body: {} } as never;
}

/** Leads to two runs side by side, the older one on the left. */
function CompareButton({ runs }: { runs: Run[] }) {
    const t = useWords(runsWords);
    const [left, right] = runs.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
    if (!left || !right || runs.length !== 2) return null;
    return (
        <Button
            variant="default"
            renderRoot={(props) => (
                <Link
                    to="/runs/$id/compare"
                    params={{ id: left.id }}
                    search={{ with: right.id }}
                    {...props}
                />
            )}
        >
            {t("compare")}
        </Button>
    );
}

/** What can be done to the chosen rows. An action is offered if it fits at least one of them. */
export function SelectionBar({ runs, clear }: { runs: Run[]; clear: () => void }) {
    const t = useWords(runsWords);
    const c = useWords(commonWords);
    const act = useAct<Action, number>({
        run: async (action) => {
            const chosen = runs.filter(actions[action].fits);
            // A few at a time: a page of rows must not become a burst.
            for (let at = 0; at < chosen.length; at += 4) {
                const part = chosen.slice(at, at + 4);
                await Promise.all(part.map((run) => call(actions[action].act(run.id) as never)));
            }
            return chosen.length;
        },
        done: (count) => t("acted", { count }),
        changes: [["runs"]],
        onDone: clear,
    });
    return (
        <div className={classes.selection} role="toolbar" aria-label={t("action")}>
            <Text fw={500} className="numbers">
                {t("selectedCount", { count: runs.length })}
            </Text>
            {(Object.keys(actions) as Action[])
                .filter((action) => runs.some(actions[action].fits))
                .map((action) => (
                    <Button
                        key={action}
                        variant={action === "cancel" ? "light" : "default"}
                        color={action === "cancel" ? "red" : "gray"}
                        loading={act.isPending && act.variables === action}
                        disabled={act.isPending}
                        onClick={() => act.mutate(action)}
                    >
                        {t(action)}
                    </Button>
                ))}
            <CompareButton runs={runs} />
            <CloseButton size="sm" aria-label={c("clear")} onClick={clear} />
        </div>
    );
}
