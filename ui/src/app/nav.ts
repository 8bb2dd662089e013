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

/** The left bar. `key` follows `g` on the keyboard; `scope` is what it needs to be shown. */
export const nav = [
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
