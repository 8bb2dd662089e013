import { IconTools } from "@tabler/icons-react";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import { EmptyState } from "./EmptyState";
import { Page } from "./Page";

type Name =
    | "home"
    | "workflows"
    | "runs"
    | "run"
    | "inbox"
    | "people"
    | "messages"
    | "failures"
    | "operations"
    | "settings";

/** Stands where a page will be. */
export function PlannedPage({ name }: { name: Name }) {
    const t = useWords(shellWords);
    return (
        <Page title={t(name)}>
            <EmptyState
                icon={IconTools}
                title={t("planned")}
                text={t("plannedHelp")}
                command="pawl --help"
                curl="curl -s $PAWL_URL/openapi.json"
            />
        </Page>
    );
}
