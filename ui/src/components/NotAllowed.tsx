import { IconLock } from "@tabler/icons-react";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { EmptyState } from "./EmptyState";

/** Stands where something would be that the person who is signed in may not see or do. */
export function NotAllowed({ scope }: { scope: string }) {
    const t = useWords(commonWords);
    const has = useMay(scope);
    // They may, but this is about all tenants.
    const [title, text] = has
        ? [t("ofTheService"), t("ofTheServiceHelp")]
        : [t("notAllowed"), t("notAllowedHelp", { scope })];
    return <EmptyState icon={IconLock} title={title} text={text} />;
}
