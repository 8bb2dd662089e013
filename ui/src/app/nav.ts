import {
    IconAlertOctagon,
    IconHome,
    IconInbox,
    IconListDetails,
    IconMail,
    IconServerCog,
    IconSettings,
    IconSitemap,
    IconUsers,
} from "@tabler/icons-react";
import { useMemo } from "react";
import { allows, useSession } from "@/data/session";

/** The left bar. `key` follows `g` on the keyboard; `scope` is what it needs to be shown. */
const nav = [
    { to: "/", name: "home", icon: IconHome, key: "h", scope: "runs:read" },
    { to: "/workflows", name: "workflows", icon: IconSitemap, key: "w", scope: "workflows:read" },
    { to: "/runs", name: "runs", icon: IconListDetails, key: "r", scope: "runs:read" },
    { to: "/inbox", name: "inbox", icon: IconInbox, key: "i", scope: "tasks:read" },
    { to: "/people", name: "people", icon: IconUsers, key: "p", scope: "runs:read" },
    { to: "/messages", name: "messages", icon: IconMail, key: "m", scope: "runs:read" },
    { to: "/failures", name: "failures", icon: IconAlertOctagon, key: "f", scope: "runs:read" },
    { to: "/operations", name: "operations", icon: IconServerCog, key: "o", scope: "runs:read" },
    { to: "/settings", name: "settings", icon: IconSettings, key: "s", scope: "runs:read" },
] as const;

const none: string[] = [];

/** Where the person who is signed in may go. */
export function usePlaces() {
    const scopes = useSession(({ session }) => session?.scopes ?? none);
    return useMemo(() => nav.filter((item) => allows(scopes, item.scope)), [scopes]);
}

/** What a page needs that the person who is signed in does not have; nothing: it may be seen. */
export function useMissing(path: string): string | undefined {
    const scopes = useSession(({ session }) => session?.scopes ?? none);
    const item = nav.find(({ to }) => (to === "/" ? path === to : path.startsWith(to)));
    return item && !allows(scopes, item.scope) ? item.scope : undefined;
}
