import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const inboxRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/inbox",
    component: lazyRouteComponent(() => import("./InboxPage"), "InboxPage"),
});

export const inboxRoutes = [inboxRoute] as const;
