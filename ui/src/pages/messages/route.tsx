import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const page = () => pagePart(() => import("./MessagesPage"), "MessagesPage");
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
    component: pagePart(() => import("./templates/TemplatesPage"), "TemplatesPage"),
});

const templateRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/templates/$name",
    validateSearch: texts("version", "language", "part", "device", "person"),
    component: pagePart(() => import("./templates/TemplatePage"), "TemplatePage"),
});

const sandboxRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/messages/sandbox",
    validateSearch: texts("open", "device", "plain", "raw"),
    component: pagePart(() => import("./sandbox/SandboxPage"), "SandboxPage"),
});

export const messagesRoutes = [
    messagesRoute,
    templatesRoute,
    sandboxRoute,
    templateRoute,
    messageRoute,
] as const;
