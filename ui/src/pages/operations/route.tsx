import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const operationsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations",
    validateSearch: texts("tab", "item", "job", "status"),
    component: lazyRouteComponent(() => import("./OperationsPage"), "OperationsPage"),
});

export const operationsRoutes = [operationsRoute] as const;
