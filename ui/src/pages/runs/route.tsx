import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";
import { filterKeys } from "./filter";

const runsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs",
    validateSearch: texts(...filterKeys),
    component: pagePart(() => import("./RunsPage"), "RunsPage"),
});

export const runsRoutes = [runsRoute] as const;
