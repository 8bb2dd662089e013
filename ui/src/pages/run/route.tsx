import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const runRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs/$id",
    // tab: what is shown; step: which step beside it; at: the graph after this event.
    validateSearch: texts("tab", "step", "at"),
    component: pagePart(() => import("./RunPage"), "RunPage"),
});

const compareRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs/$id/compare",
    // with: the other run; only: leave out what is the same.
    validateSearch: texts("with", "only"),
    component: pagePart(() => import("./compare/ComparePage"), "ComparePage"),
});

export const runRoutes = [runRoute, compareRoute] as const;
