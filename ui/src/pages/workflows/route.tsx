import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const listRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/workflows",
    validateSearch: texts("q", "state"),
    component: pagePart(() => import("./WorkflowsPage"), "WorkflowsPage"),
});

const workflowRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/workflows/$name",
    validateSearch: texts(
        "tab",
        "at",
        "range",
        "version",
        "by",
        "metric",
        "out",
        "status",
        "from",
        "to",
    ),
    component: pagePart(() => import("./WorkflowPage"), "WorkflowPage"),
});

const editRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/workflows/$name/edit",
    validateSearch: texts("text", "panel"),
    component: pagePart(() => import("./EditPage"), "EditPage"),
});

// Not below /workflows: a workflow may have any name.
const newRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/new-workflow",
    validateSearch: texts("text", "panel"),
    component: pagePart(() => import("./EditPage"), "NewPage"),
});

export const workflowsRoutes = [listRoute, workflowRoute, editRoute, newRoute] as const;
