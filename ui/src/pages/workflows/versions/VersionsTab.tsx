import { Badge, Select, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Types } from "@/builder/types";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Time } from "@/components/Time";
import { useWords } from "@/words";
import { useVersions, type Workflow } from "../data";
import { useAddress } from "../useAddress";
import { DiffView } from "./DiffView";
import { History } from "./History";
import { MigrateDialog } from "./MigrateDialog";
import { RollBackDialog } from "./RollBackDialog";
import { ShareDialog } from "./ShareDialog";
import { VersionMenu } from "./VersionMenu";
import classes from "./Versions.module.css";
import { versionWords } from "./words";

type Asked = { what: "share" | "move" | "roll"; version: Workflow };

/** All versions: which get starts, how many runs they hold, what differs, and the way back. */
export function VersionsTab({ workflow, types }: { workflow: Workflow; types: Types }) {
    const t = useWords(versionWords);
    const [{ from, to }, show] = useAddress();
    const query = useVersions(workflow.name);
    const [asked, setAsked] = useState<Asked>();
    if (query.isError) return <ErrorView error={query.error} retry={query.refetch} />;
    const versions = query.data;
    if (!versions) return <Loading />;
    const numberOf = (text: string | undefined) =>
        versions.find((one) => String(one.version) === text)?.version;
    const right = numberOf(to) ?? workflow.version;
    const left = numberOf(from) ?? versions.find((one) => one.version < right)?.version;
    const options = versions.map((one) => ({
        value: String(one.version),
        label: t("version", { version: one.label ?? one.version }),
    }));
    return (
        <div className={classes.versions}>
            <div className={classes.list}>
                {versions.map((one) => (
                    <VersionRow
                        key={one.version}
                        one={one}
                        head={one.version === workflow.version && workflow.active}
                        share={workflow.canary?.find((s) => s.version === one.version)?.share}
                        shown={one.version === right}
                        onShow={() => show({ to: String(one.version), from: undefined })}
                    >
                        <VersionMenu
                            workflow={workflow}
                            version={one}
                            ask={(what) => setAsked({ what, version: one })}
                        />
                    </VersionRow>
                ))}
                <History name={workflow.name} />
            </div>
            <div className={classes.diff}>
                <div className={classes.pick}>
                    <Select
                        label={t("comparedWith")}
                        value={left === undefined ? null : String(left)}
                        data={options.filter((one) => one.value !== String(right))}
                        onChange={(value) => show({ from: value ?? undefined })}
                    />
                    <Select
                        label={t("compareTo")}
                        value={String(right)}
                        allowDeselect={false}
                        data={options}
                        onChange={(value) => show({ to: value ?? undefined })}
                    />
                </div>
                {left === undefined ? (
                    <Text c="dimmed">{t(versions.length > 1 ? "first" : "onlyOne")}</Text>
                ) : (
                    <>
                        <Title order={2}>{t("diffOf", { from: left, to: right })}</Title>
                        <DiffView
                            name={workflow.name}
                            before={versions.find((one) => one.version === left)!}
                            after={versions.find((one) => one.version === right)!}
                            types={types}
                        />
                    </>
                )}
            </div>
            {asked?.what === "share" && (
                <ShareDialog
                    workflow={workflow}
                    version={asked.version}
                    close={() => setAsked(undefined)}
                />
            )}
            {asked?.what === "move" && (
                <MigrateDialog
                    workflow={workflow}
                    versions={versions}
                    to={asked.version}
                    close={() => setAsked(undefined)}
                />
            )}
            {asked?.what === "roll" && (
                <RollBackDialog
                    workflow={workflow}
                    to={asked.version}
                    close={() => setAsked(undefined)}
                />
            )}
        </div>
    );
}

interface RowProps {
    one: Workflow;
    head: boolean;
    share: number | undefined;
    shown: boolean;
    onShow: () => void;
    children: ReactNode;
}

function VersionRow({ one, head, share, shown, onShow, children }: RowProps) {
    const t = useWords(versionWords);
    return (
        <div className={classes.row} data-version={one.version} data-shown={shown || undefined}>
            <button type="button" className={classes.open} aria-pressed={shown} onClick={onShow}>
                <b className="numbers">{t("version", { version: one.label ?? one.version })}</b>
                <span className={classes.facts}>
                    <Time at={one.created_at} form="ago" />
                    <span className="numbers" data-open={one.open_runs ?? 0}>
                        {t("openRuns", { count: one.open_runs ?? 0 })}
                    </span>
                </span>
            </button>
            <span className={classes.badges}>
                {head && (
                    <Badge variant="dot" color="teal">
                        {t("head")}
                    </Badge>
                )}
                {share !== undefined && (
                    <Badge variant="dot" color="blue">
                        {t("share", { share })}
                    </Badge>
                )}
                {one.draft && <Badge variant="dot">{t("draft")}</Badge>}
                {one.retired_at && (
                    <Badge variant="dot" color="gray">
                        {t("retired")}
                    </Badge>
                )}
            </span>
            {children}
        </div>
    );
}
