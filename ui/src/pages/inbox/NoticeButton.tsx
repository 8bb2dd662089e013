import { Button } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { askForNotices, useNotices } from "@/app/taskNotices";
import { useWords } from "@/words";
import { inboxWords } from "./words";

/** Lets the browser say when a new task is there. Nothing is shown that was not asked for. */
export function NoticeButton() {
    const t = useWords(inboxWords);
    const { wanted, possible } = useNotices();
    if (!possible) return null;
    const Icon = wanted ? IconBell : IconBellOff;
    return (
        <Button
            variant={wanted ? "light" : "default"}
            leftSection={<Icon size={14} />}
            aria-pressed={wanted}
            onClick={() => void askForNotices(!wanted)}
        >
            {wanted ? t("noticesOn") : t("notices")}
        </Button>
    );
}
