import { Link } from "@tanstack/react-router";
import { useWords } from "@/words";
import classes from "./MessageTabs.module.css";
import { messagesWords } from "./words";

type Tab = "messages" | "templates" | "sandbox";

const places: Record<Tab, string> = {
    messages: "/messages",
    templates: "/messages/templates",
    sandbox: "/messages/sandbox",
};

/** Leads from messages to their templates and to the sandbox. */
export function MessageTabs({ current }: { current: Tab }) {
    const t = useWords(messagesWords);
    const names = { messages: t("sentTab"), templates: t("templates"), sandbox: t("sandbox") };
    return (
        <nav className={classes.tabs} aria-label={t("title")}>
            {(Object.keys(places) as Tab[]).map((tab) => (
                <Link
                    key={tab}
                    to={places[tab] as "/messages"}
                    search={{}}
                    className={classes.tab ?? ""}
                    aria-current={tab === current ? "page" : undefined}
                    data-current={tab === current || undefined}
                >
                    {names[tab]}
                </Link>
            ))}
        </nav>
    );
}
