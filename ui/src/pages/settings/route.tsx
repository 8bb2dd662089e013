import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/roots";
import { texts } from "@/app/search";

const settingsRoute = createRoute({
    getParentRoute: () => shellRoute,
    path: "/settings",
    validateSearch: texts("tab", "item", "by", "action"),
    component: lazyRouteComponent(() => import("./SettingsPage"), "SettingsPage"),
});

export const settingsRoutes = [settingsRoute] as const;
