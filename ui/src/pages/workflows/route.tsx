import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const workflowsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/workflows",
    component: lazyRouteComponent(() => import("./WorkflowsPage"), "WorkflowsPage"),
});

export const workflowsRoutes = [workflowsRoute] as const;
