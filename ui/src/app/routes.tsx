import { failuresRoutes } from "@/pages/failures/route";
import { homeRoutes } from "@/pages/home/route";
import { inboxRoutes } from "@/pages/inbox/route";
import { messagesRoutes } from "@/pages/messages/route";
import { operationsRoutes } from "@/pages/operations/route";
import { peopleRoutes } from "@/pages/people/route";
import { runRoutes } from "@/pages/run/route";
import { runsRoutes } from "@/pages/runs/route";
import { settingsRoutes } from "@/pages/settings/route";
import { workflowsRoutes } from "@/pages/workflows/route";
import { rootRoute, shellRoute, signInRoute } from "./roots";

/** Every page adds its routes here; the code of a page is loaded when it is opened. */
export const routeTree = rootRoute.addChildren([
    signInRoute,
    shellRoute.addChildren([
        ...homeRoutes,
        ...workflowsRoutes,
        ...runsRoutes,
        ...runRoutes,
        ...inboxRoutes,
        ...peopleRoutes,
        ...messagesRoutes,
        ...failuresRoutes,
        ...operationsRoutes,
        ...settingsRoutes,
    ]),
]);
