import { createRouter } from "@tanstack/react-router";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { NotFound } from "@/components/NotFound";
import { baseUrl } from "@/data/place";
import { routeTree } from "./routes";
import { parseSearch, stringifySearch } from "./search";

export const router = createRouter({
    routeTree,
    basepath: baseUrl || "/",
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultErrorComponent: ({ error, reset }) => <ErrorView error={error} retry={reset} />,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
});

declare module "@tanstack/react-router" {
    interface Register {
        router: typeof router;
    }
}
