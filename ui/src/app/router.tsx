import { createRouter } from "@tanstack/react-router";
import { NotFound } from "@/components/NotFound";
import { baseUrl } from "@/data/place";
import { Failed, Pending } from "./Pending";
import { routeTree } from "./routes";
import { parseSearch, stringifySearch } from "./search";

export const router = createRouter({
    routeTree,
    basepath: baseUrl || "/",
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: Pending,
    defaultPendingMs: 150,
    defaultErrorComponent: Failed,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
});

declare module "@tanstack/react-router" {
    interface Register {
        router: typeof router;
    }
}
