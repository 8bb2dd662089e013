import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadSession, useSession } from "@/data/session";
import { Shell } from "./Shell";
import { texts } from "./search";

export const rootRoute = createRootRoute();

/** The parent of every page that needs somebody to be signed in. */
export const shellRoute = createRoute({
    getParentRoute: () => rootRoute,
    id: "shell",
    component: Shell,
    beforeLoad: async ({ location }) => {
        const known = useSession.getState().session;
        const session = known === undefined ? await loadSession() : known;
        if (!session) throw redirect({ to: "/sign-in", search: { next: location.href } });
    },
});

export const signInRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in",
    validateSearch: texts("next"),
    component: lazyRouteComponent(() => import("@/pages/sign-in/SignInPage"), "SignInPage"),
});
