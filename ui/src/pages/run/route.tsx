import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const runRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs/$id",
    component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
});

export const runRoutes = [runRoute] as const;
