import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const failuresRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/failures",
    component: lazyRouteComponent(() => import("./FailuresPage"), "FailuresPage"),
});

export const failuresRoutes = [failuresRoute] as const;
