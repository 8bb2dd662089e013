import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const page = () => lazyRouteComponent(() => import("./MessagesPage"), "MessagesPage");
const filters = texts("state", "person", "workflow", "run");

const messagesRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages",
    validateSearch: filters,
    component: page(),
});

const messageRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/$id",
    validateSearch: filters,
    component: page(),
});

const templatesRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/templates",
    component: lazyRouteComponent(() => import("./templates/TemplatesPage"), "TemplatesPage"),
});

const templateRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/templates/$name",
    validateSearch: texts("version", "language", "part", "device", "person"),
    component: lazyRouteComponent(() => import("./templates/TemplatePage"), "TemplatePage"),
});

const sandboxRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/sandbox",
    validateSearch: texts("open", "device", "plain", "raw"),
    component: lazyRouteComponent(() => import("./sandbox/SandboxPage"), "SandboxPage"),
});

export const messagesRoutes = [
    messagesRoute,
    templatesRoute,
    sandboxRoute,
    templateRoute,
    messageRoute,
] as const;
