import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const homeRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/",
    validateSearch: texts("range"),
    component: lazyRouteComponent(() => import("./HomePage"), "HomePage"),
});

export const homeRoutes = [homeRoute] as const;
