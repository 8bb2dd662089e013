import { Alert, Button, Group, Loader, Modal, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { useStore } from "zustand";
import { Loading } from "@/components/Loading";
import { Time } from "@/components/Time";
import { lazyPart } from "@/data/parts";
import { useWords } from "@/words";
import type { Definition } from "../graph";
import { changesOf } from "../publish/impact";
import type { BuilderStore } from "../store";
import { writeYaml } from "../text/yaml";
import { type Head, usePublisher, useVersion } from "./useHead";
import { guardWords } from "./words";

const Diff = lazyPart(async () => (await import("../text/Diff")).Diff);

interface Props {
    name: string;
    /** The version that the draft began with; 0: there was none. */
    base: number;
    head: Head;
    draft: BuilderStore;
    /** Whether the difference is shown, on top of all. */
    onShow?: (shown: boolean) => void;
    /** What can be done about it, beside looking at it. */
    children?: ReactNode;
}

/** Which steps the active version has made other than they were. */
function Changed({ from, to }: { from: Definition; to: Definition }) {
    const t = useWords(guardWords);
    const { added, removed, changed } = changesOf(from, to);
    const said = [
        added.length > 0 && t("newerAdded", { steps: added.join(", ") }),
        removed.length > 0 && t("newerRemoved", { steps: removed.join(", ") }),
        changed.length > 0 && t("newerChanged", { steps: changed.join(", ") }),
    ].filter(Boolean);
    return <>{said.length > 0 ? said.join(" ") : t("newerOther")}</>;
}

/** The active version beside the one that the draft began with, or beside the draft. */
function Comparison({ name, base, head, draft, onClose }: Props & { onClose: () => void }) {
    const t = useWords(guardWords);
    const [what, setWhat] = useState<"theirs" | "mine">(base > 0 ? "theirs" : "mine");
    const from = useVersion(name, base);
    const mine = useStore(draft, (state) => state.draft.definition);
    const version = (number: number) => t("versionText", { version: number });
    return (
        <Modal opened onClose={onClose} size="90%" title={t("newerShow")}>
            <Stack gap="sm">
                {base > 0 && (
                    <SegmentedControl
                        aria-label={t("newerWhat")}
                        data={[
                            {
                                value: "theirs",
                                label: t("newerTheirs", { version: head.version }),
                            },
                            { value: "mine", label: t("newerMine") },
                        ]}
                        value={what}
                        onChange={(next) => setWhat(next as "theirs" | "mine")}
                    />
                )}
                <Suspense fallback={<Loading />}>
                    {what === "mine" && (
                        <Diff
                            before={writeYaml(head.definition)}
                            after={writeYaml(mine)}
                            names={[version(head.version), t("draftText")]}
                        />
                    )}
                    {what === "theirs" && !from && <Loader size="sm" />}
                    {what === "theirs" && from && (
                        <Diff
                            before={writeYaml(from)}
                            after={writeYaml(head.definition)}
                            names={[version(base), version(head.version)]}
                        />
                    )}
                </Suspense>
            </Stack>
        </Modal>
    );
}

/** Says that another version is active than the one that the draft began with. */
export function NewerVersion(props: Props) {
    const { name, base, head, onShow, children } = props;
    const t = useWords(guardWords);
    const [shown, setShown] = useState(false);
    const show = (next: boolean) => {
        setShown(next);
        onShow?.(next);
    };
    const from = useVersion(name, base);
    const published = usePublisher(name, head.version);
    return (
        <Alert
            color="orange"
            w="100%"
            title={t("newer", { version: head.version, base })}
            data-newer={head.version}
        >
            <Stack gap="xs">
                <Text size="sm">
                    {published?.by ? t("newerBy", { by: published.by }) : t("newerSome")}{" "}
                    <Time at={published?.at ?? head.created_at} form="ago" />.{" "}
                    {from && <Changed from={from} to={head.definition} />}{" "}
                    {t("newerLost", { version: head.version })}
                </Text>
                <Group gap="xs">
                    <Button variant="default" onClick={() => show(true)}>
                        {t("newerShow")}
                    </Button>
                    {children}
                </Group>
            </Stack>
            {shown && <Comparison {...props} onClose={() => show(false)} />}
        </Alert>
    );
}
