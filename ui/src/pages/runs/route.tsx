import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const runsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs",
    validateSearch: texts(
        "workflow",
        "status",
        "subject",
        "correlation",
        "after",
        "before",
        "error",
    ),
    component: lazyRouteComponent(() => import("./RunsPage"), "RunsPage"),
});

export const runsRoutes = [runsRoute] as const;
