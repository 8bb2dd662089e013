import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const inboxRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/inbox",
    validateSearch: texts("view", "task"),
    component: pagePart(() => import("./InboxPage"), "InboxPage"),
});

export const inboxRoutes = [inboxRoute] as const;
