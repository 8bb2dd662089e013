import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const failuresRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/failures",
    validateSearch: texts("group", "job", "view"),
    component: lazyRouteComponent(() => import("./FailuresPage"), "FailuresPage"),
});

export const failuresRoutes = [failuresRoute] as const;
