import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { filterKeys } from "./filter";

const runsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs",
    validateSearch: texts(...filterKeys),
    component: lazyRouteComponent(() => import("./RunsPage"), "RunsPage"),
});

export const runsRoutes = [runsRoute] as const;
