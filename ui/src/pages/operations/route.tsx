import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const operationsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations",
    component: lazyRouteComponent(() => import("./OperationsPage"), "OperationsPage"),
});

export const operationsRoutes = [operationsRoute] as const;
