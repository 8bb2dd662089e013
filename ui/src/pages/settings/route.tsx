import { createRoute } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";
import { pagePart } from "@/data/parts";

const settingsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings",
    validateSearch: texts("tab", "item", "by", "action"),
    component: pagePart(() => import("./SettingsPage"), "SettingsPage"),
});

export const settingsRoutes = [settingsRoute] as const;
