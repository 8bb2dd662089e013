import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const inboxRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/inbox",
    validateSearch: texts("view", "task"),
    component: lazyRouteComponent(() => import("./InboxPage"), "InboxPage"),
});

export const inboxRoutes = [inboxRoute] as const;
