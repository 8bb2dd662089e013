import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const failuresRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/failures",
    validateSearch: texts("group", "job", "view"),
    component: pagePart(() => import("./FailuresPage"), "FailuresPage"),
});

export const failuresRoutes = [failuresRoute] as const;
