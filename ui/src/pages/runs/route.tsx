import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const runsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs",
    component: lazyRouteComponent(() => import("./RunsPage"), "RunsPage"),
});

export const runsRoutes = [runsRoute] as const;
