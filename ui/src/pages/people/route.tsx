import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";

const peopleRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/people",
    component: lazyRouteComponent(() => import("./PeoplePage"), "PeoplePage"),
});

export const peopleRoutes = [peopleRoute] as const;
