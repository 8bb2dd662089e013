import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const runRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs/$id",
    // tab: what is shown; step: which step beside it; at: the graph after this event.
    validateSearch: texts("tab", "step", "at"),
    component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
});

export const runRoutes = [runRoute] as const;
