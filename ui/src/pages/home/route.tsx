import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const homeRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/",
    validateSearch: texts("range"),
    component: pagePart(() => import("./HomePage"), "HomePage"),
});

export const homeRoutes = [homeRoute] as const;
