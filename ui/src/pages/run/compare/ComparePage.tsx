import { Button } from "@mantine/core";
import { IconArrowsLeftRight, IconReplace } from "@tabler/icons-react";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CopyMenu } from "@/components/CopyMenu";
import { sqlText } from "@/components/command";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { shortId } from "@/data/ids";
import { useWords } from "@/words";
import { useRun } from "../useRun";
import { runWords } from "../words";
import { Chooser } from "./Chooser";
import { Comparison } from "./Comparison";
import { compareWords } from "./words";

/** Two runs side by side. */
function Both({ left, right }: { left: string; right: string }) {
    const one = useRun(left);
    const other = useRun(right);
    const error = one.run.error ?? other.run.error ?? one.log.error ?? other.log.error;
    if (error) {
        const retry = () => void Promise.all([one.run.refetch(), other.run.refetch()]);
        return <ErrorView error={error} retry={retry} />;
    }
    if (!one.run.data || !other.run.data || !one.log.ready || !other.log.ready) return <Loading />;
    return (
        <Comparison
            left={{ run: one.run.data, log: one.log }}
            right={{ run: other.run.data, log: other.log }}
        />
    );
}

export function ComparePage() {
    const t = useWords(compareWords);
    const r = useWords(runWords);
    const navigate = useNavigate();
    const { id } = useParams({ from: "/shell/runs/$id/compare" });
    const { with: other } = useSearch({ from: "/shell/runs/$id/compare" });
    const swap = () =>
        void navigate({
            to: "/runs/$id/compare",
            params: { id: other ?? id },
            search: (old) => ({ ...old, with: id }),
        });
    return (
        <Page
            title={t("title")}
            parents={[
                { title: r("runs"), to: "/runs" },
                { title: shortId(id), to: `/runs/${id}` },
            ]}
            actions={
                other && (
                    <>
                        <Button
                            variant="default"
                            leftSection={<IconReplace size={14} />}
                            renderRoot={(props) => (
                                <Link
                                    to="/runs/$id/compare"
                                    params={{ id }}
                                    search={{}}
                                    {...props}
                                />
                            )}
                        >
                            {t("another")}
                        </Button>
                        <Button
                            variant="default"
                            leftSection={<IconArrowsLeftRight size={14} />}
                            onClick={swap}
                        >
                            {t("swap")}
                        </Button>
                        <CopyMenu
                            curl={`/v1/runs/${other}/events`}
                            cli={`runs show ${other}`}
                            sql={`select run_id, step_name, seq, status, attempts, error\nfrom workflow_steps\nwhere run_id in (${sqlText(id)}, ${sqlText(other)})\norder by seq, run_id;`}
                        />
                    </>
                )
            }
        >
            {other ? <Both left={id} right={other} /> : <Chooser id={id} />}
        </Page>
    );
}
