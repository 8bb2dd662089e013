import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const homeRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/",
    component: lazyRouteComponent(() => import("./HomePage"), "HomePage"),
});

export const homeRoutes = [homeRoute] as const;
