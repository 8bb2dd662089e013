import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const operationsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations",
    validateSearch: texts("tab", "item", "job", "status"),
    component: pagePart(() => import("./OperationsPage"), "OperationsPage"),
});

export const operationsRoutes = [operationsRoute] as const;
