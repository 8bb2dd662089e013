import { Alert, Progress, Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Definition } from "@/builder/graph";
import { api, call } from "@/data/api";
import { shortId } from "@/data/ids";
import { useAct } from "@/data/queries";
import { Dialog } from "@/pages/run/actions/Dialog";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { waysOut } from "./marks";
import { canvasWords } from "./words";

interface Props {
    name: string;
    definition: Definition;
    at: string;
    action: "release" | "exit";
    version?: string | undefined;
    /** The chosen ones; none: all who wait there. */
    runs: string[];
    waiting: number;
    close: () => void;
    done: () => void;
}

interface Moved {
    reached: number;
    failed: number;
    problems: { run: string; problem: string }[];
}

/** Lets people go on, or takes them out: asks why, then does it part by part. */
export function MoveDialog(props: Props) {
    const { name, definition, at, action, version, runs, waiting, close, done } = props;
    const t = useWords(canvasWords);
    const c = useWords(commonWords);
    const [reason, setReason] = useState("");
    const [way, setWay] = useState<string | null>(null);
    const [moved, setMoved] = useState<Moved>();
    const ways = waysOut(definition, at);
    const body = {
        action,
        at,
        reason,
        ...(version ? { version } : {}),
        ...(action === "release" && way && way !== "default" ? { handle: way } : {}),
    };
    const act = useAct({
        run: async () => {
            const sum: Moved = { reached: 0, failed: 0, problems: [] };
            let cursor: string | undefined;
            do {
                const part = await call(
                    api.POST("/v1/workflows/{name}/people", {
                        params: { path: { name } },
                        body: {
                            ...body,
                            ...(runs.length > 0 ? { runs } : {}),
                            ...(cursor ? { cursor } : {}),
                        },
                    }),
                );
                sum.reached += part.reached;
                sum.failed += part.failed;
                sum.problems.push(...part.problems);
                setMoved({ ...sum });
                cursor = part.has_more ? (part.next_cursor ?? undefined) : undefined;
            } while (cursor);
            return sum;
        },
        done: (sum) => t("moved", { count: sum.reached }),
        changes: [["workflows", name], ["runs"]],
        onDone: (sum) => {
            done();
            if (sum.failed === 0) close();
        },
    });
    const which =
        runs.length > 0
            ? t("whichSelected", { count: runs.length })
            : t("whichAll", { count: waiting });
    const all = runs.length > 0 ? runs.length : waiting;
    return (
        <Dialog
            title={t(`${action}Title`)}
            text={t(`${action}Text`, { which })}
            button={t(action === "exit" ? "doExit" : "doRelease")}
            {...(action === "exit" ? { color: "red" } : {})}
            busy={act.isPending}
            disabled={reason.trim() === "" || (moved !== undefined && !act.isPending)}
            submit={() => act.mutate()}
            close={close}
        >
            {action === "release" && ways.length > 0 && (
                <Select
                    label={t("wayOut")}
                    value={way ?? "default"}
                    allowDeselect={false}
                    data={[
                        ...(ways.some((one) => one.handle === "default")
                            ? []
                            : [{ value: "default", label: t("wayEnd") }]),
                        ...[...new Set(ways.map((one) => one.handle))].map((handle) => ({
                            value: handle,
                            label: t("wayTo", {
                                handle: handle === "default" ? t("wayDefault") : handle,
                                to: ways
                                    .filter((one) => one.handle === handle)
                                    .map((one) => one.to)
                                    .join(", "),
                            }),
                        })),
                    ]}
                    onChange={setWay}
                />
            )}
            <TextInput
                label={c("reason")}
                description={c("reasonHelp")}
                required
                data-autofocus
                maxLength={1000}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
            />
            {moved && (
                <div role="status">
                    <Progress
                        value={all > 0 ? Math.min(100, (moved.reached / all) * 100) : 100}
                        animated={act.isPending}
                        aria-label={t("moving", { done: moved.reached })}
                    />
                    <Text size="xs" mt={4} className="numbers">
                        {t("moving", { done: moved.reached })}
                    </Text>
                </div>
            )}
            {moved && moved.failed > 0 && (
                <Alert color="yellow" title={t("notMoved", { count: moved.failed })}>
                    {moved.problems.slice(0, 5).map((one) => (
                        <Text key={one.run} size="xs">
                            <span className="mono">{shortId(one.run)}</span> {one.problem}
                        </Text>
                    ))}
                </Alert>
            )}
        </Dialog>
    );
}
