import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const peopleRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/people",
    validateSearch: texts("q"),
    component: lazyRouteComponent(() => import("./PeoplePage"), "PeoplePage"),
});

const personRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/people/$key",
    validateSearch: texts("show"),
    component: lazyRouteComponent(() => import("./PersonPage"), "PersonPage"),
});

export const peopleRoutes = [peopleRoute, personRoute] as const;
