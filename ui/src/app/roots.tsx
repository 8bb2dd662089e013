import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { pagePart } from "@/data/parts";
import { loadSession, signIn, useSession } from "@/data/session";
import { Shell } from "./Shell";
import { texts } from "./search";

export const rootRoute = createRootRoute();

/** The parent of every page that needs a session. */
export const shellRoute = createRoute({
    getParentRoute: () => rootRoute,
    id: "shell",
    component: Shell,
    beforeLoad: async ({ location }) => {
        const { ticket } = location.search as { ticket?: string };
        if (ticket) {
            // A link that signs in once; an old one leads to the form, which says so.
            await signIn({ ticket }).catch(() => useSession.setState({ why: "link" }));
            throw redirect({ to: location.pathname, search: {}, replace: true });
        }
        const known = useSession.getState().session;
        const session = known === undefined ? await loadSession() : known;
        if (!session) throw redirect({ to: "/sign-in", search: { next: location.href } });
    },
});

export const signInRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in",
    validateSearch: texts("next"),
    component: pagePart(() => import("@/pages/sign-in/SignInPage"), "SignInPage"),
});
