import { IconLock } from "@tabler/icons-react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { EmptyState } from "./EmptyState";

/** Stands where something would be that the person who is signed in may not see or do. */
export function NotAllowed({ scope }: { scope: string }) {
    const t = useWords(commonWords);
    return (
        <EmptyState icon={IconLock} title={t("notAllowed")} text={t("notAllowedHelp", { scope })} />
    );
}
