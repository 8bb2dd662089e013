import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const messagesRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages",
    component: lazyRouteComponent(() => import("./MessagesPage"), "MessagesPage"),
});

export const messagesRoutes = [messagesRoute] as const;
