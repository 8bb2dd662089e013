import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const page = () => lazyRouteComponent(() => import("./MessagesPage"), "MessagesPage");

const messagesRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages",
    validateSearch: texts("state", "person"),
    component: page(),
});

const messageRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/$id",
    validateSearch: texts("state", "person"),
    component: page(),
});

export const messagesRoutes = [messagesRoute, messageRoute] as const;
