import { Button, Divider, Modal, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { RefusedAlert, SelectionBar } from "@/components/SelectionBar";
import { request } from "@/data/api";
import { useMany } from "@/data/useMany";
import { JobProgress } from "@/pages/runs/JobProgress";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Failing } from "./data";
import { MuteMany, ReplayMany } from "./GroupDialogs";
import type { OnVersion } from "./VersionChoice";
import { failuresWords } from "./words";

interface Props {
    /** Those that are selected. */
    groups: readonly Failing[];
    /** They are muted. */
    muted: boolean;
    clear: () => void;
}

interface Begun {
    job: string;
    message: string;
}

/** Replays, mutes or counts again all selected errors. */
export function GroupSelection({ groups, muted, clear }: Props) {
    const t = useWords(failuresWords);
    const c = useWords(commonWords);
    // What is asked about stays, though others may mute it meanwhile.
    const [ask, setAsk] = useState<{ what: "replay" | "mute"; groups: readonly Failing[] }>();
    const [begun, setBegun] = useState<Begun[]>([]);
    const said = useRef<"replaysBegun" | "mutedMany" | "unmutedMany">("mutedMany");
    const many = useMany({
        said: (count) => t(said.current, { count }),
        changes: [["dead-letters"], ["overview"], ["runs"], ["jobs"]],
        onDone: clear,
    });
    const count = groups.length;
    const meant = ask?.groups ?? groups;
    const byId = new Map(meant.map((one) => [one.fingerprint, one]));
    const start = (says: typeof said.current, change: (id: string) => Promise<unknown>) => {
        said.current = says;
        setAsk(undefined);
        void many.start([...byId.keys()], change);
    };
    const replay = (version: OnVersion) =>
        start("replaysBegun", async (fingerprint) => {
            const group = byId.get(fingerprint)!;
            const job = await request<{ id: string }>("POST", "/v1/dead-letters/replay", {
                fingerprint,
                workflow: group.workflow,
                ...(version === "active" ? { active_version: true } : {}),
            });
            setBegun((old) => [...old, { job: job.id, message: group.message }]);
        });
    const mute = (reason: string) =>
        start("mutedMany", (id) => request("PUT", muteOf(id), { reason }));
    const unmute = () => start("unmutedMany", (id) => request("DELETE", muteOf(id)));
    const button = (verb: string, onClick: () => void) => (
        <Button variant="default" onClick={onClick}>
            {t("manyAs", { verb, count })}
        </Button>
    );
    return (
        <>
            <RefusedAlert many={many} title={c("notDone", { count: many.refused.length })} />
            {(count > 0 || many.going) && (
                <SelectionBar
                    label={t("decideMany")}
                    says={t("selectedGroups", { count, runs: runsOf(groups) })}
                    many={many}
                    clear={clear}
                >
                    {button(t("replay"), () => setAsk({ what: "replay", groups }))}
                    {muted
                        ? button(t("unmute"), unmute)
                        : button(t("mute"), () => setAsk({ what: "mute", groups }))}
                </SelectionBar>
            )}
            {ask?.what === "replay" && (
                <ReplayMany runs={runsOf(meant)} go={replay} close={() => setAsk(undefined)} />
            )}
            {ask?.what === "mute" && (
                <MuteMany count={meant.length} go={mute} close={() => setAsk(undefined)} />
            )}
            {begun.length > 0 && !many.going && (
                <Modal opened onClose={() => setBegun([])} title={t("replays")} size="lg">
                    <Stack gap="sm">
                        {begun.map(({ job, message }) => (
                            <Stack key={job} gap={4}>
                                <Divider />
                                <Text lineClamp={2}>{message}</Text>
                                <JobProgress
                                    id={job}
                                    close={() =>
                                        setBegun((old) => old.filter((one) => one.job !== job))
                                    }
                                />
                            </Stack>
                        ))}
                    </Stack>
                </Modal>
            )}
        </>
    );
}

const runsOf = (groups: readonly Failing[]) => groups.reduce((sum, one) => sum + one.count, 0);

const muteOf = (fingerprint: string) => `/v1/dead-letters/groups/${fingerprint}/mute`;
