import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const peopleRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/people",
    validateSearch: texts("q"),
    component: pagePart(() => import("./PeoplePage"), "PeoplePage"),
});

const personRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/people/$key",
    validateSearch: texts("show"),
    component: pagePart(() => import("./PersonPage"), "PersonPage"),
});

export const peopleRoutes = [peopleRoute, personRoute] as const;
