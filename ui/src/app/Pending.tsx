import { Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { askNow, PartError, reloadOnce, useAwaited } from "@/data/parts";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

/** Instead of a page whose code is not there yet. */
export function Pending() {
    const t = useWords(commonWords);
    const isAwaited = useAwaited(({ count }) => count > 0);
    if (!isAwaited) return <Loading />;
    return (
        <Page title={t("partAwaited")}>
            <EmptyState icon={IconPlugConnectedX} title={t("noAnswer")} text={t("partAwaitedHelp")}>
                <Button variant="light" onClick={askNow}>
                    {t("retry")}
                </Button>
            </EmptyState>
        </Page>
    );
}

/** Instead of a page that failed. Another build is loaded as a whole. */
export function Failed({ error, reset }: { error: unknown; reset: () => void }) {
    const t = useWords(commonWords);
    if (!(error instanceof PartError)) return <ErrorView error={error} retry={reset} />;
    if (reloadOnce()) return <Loading />;
    return (
        <Page title={t("partAwaited")}>
            <ErrorView error={error} retry={() => window.location.reload()} />
        </Page>
    );
}
