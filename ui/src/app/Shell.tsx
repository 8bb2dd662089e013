import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { IconMenu2 } from "@tabler/icons-react";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { NotAllowed } from "@/components/NotAllowed";
import { useShortcuts } from "@/data/keys";
import { startLive } from "@/data/live";
import { lazyPart } from "@/data/parts";
import { baseUrl } from "@/data/place";
import { useSession } from "@/data/session";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import { useMissing, usePlaces } from "./nav";
import classes from "./Shell.module.css";
import { SideBar } from "./SideBar";
import { StaleBar } from "./StaleBar";

// Not part of the first load; there before a finger finds Ctrl+K.
const KeySheet = lazyPart(async () => (await import("./KeySheet")).KeySheet);
const MenuDrawer = lazyPart(async () => (await import("./MenuDrawer")).MenuDrawer);
const Notifications = lazyPart(async () => (await import("./notes")).Notifications);
const Search = lazyPart(async () => (await import("./Search")).Search);

/** The address without the base path, for the way back after signing in. */
function here(): string {
    const { pathname, search } = window.location;
    return pathname.slice(baseUrl.length) + search;
}

/** What surrounds every page: the left bar, Ctrl+K, the sheet of keys, the state of the server. */
export function Shell() {
    const t = useWords(shellWords);
    const navigate = useNavigate();
    const places = usePlaces();
    const signedIn = useSession(({ session }) => Boolean(session));
    const path = useRouterState({ select: (state) => state.location.pathname });
    const missing = useMissing(path);
    const [keys, sheet] = useDisclosure();
    const [menu, drawer] = useDisclosure();
    useEffect(() => (signedIn ? startLive() : undefined), [signedIn]);
    // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
    useEffect(() => drawer.close(), [path]);
    useEffect(() => {
        // Who may not see Home begins at the first page they may see.
        const first = places[0]?.to;
        if (signedIn && path === "/" && first && missing) void navigate({ to: first });
        if (!signedIn) void navigate({ to: "/sign-in", search: { next: here() } });
    }, [signedIn, path, places, missing, navigate]);
    useShortcuts(t("goTo"), [
        { keys: "mod+k", label: t("search"), run: spotlight.open, typing: true, covered: true },
        { keys: "?", label: t("keys"), run: sheet.toggle, covered: true },
        ...places.map((item) => ({
            keys: `g ${item.key}`,
            label: t(item.name),
            run: () => void navigate({ to: item.to }),
        })),
    ]);
    return (
        <div className={classes.shell}>
            <a href="#content" className={classes.skip}>
                {t("skip")}
            </a>
            <aside className={classes.side}>
                <SideBar showKeys={sheet.open} />
            </aside>
            {/* No <header>: a dialog brings its own, and a page has one. */}
            <nav className={classes.top} aria-label={t("menu")}>
                <ActionIcon aria-label={t("menu")} onClick={drawer.open} size="lg">
                    <IconMenu2 size={18} />
                </ActionIcon>
                <strong>Pawl</strong>
            </nav>
            <main id="content" className={classes.main} tabIndex={-1}>
                <StaleBar />
                <div className={classes.page}>
                    {missing ? <NotAllowed scope={missing} /> : <Outlet />}
                </div>
            </main>
            <Suspense fallback={null}>
                <Search />
                <KeySheet opened={keys} close={sheet.close} />
                <MenuDrawer opened={menu} close={drawer.close} showKeys={sheet.open} />
                <Notifications position="bottom-right" limit={4} />
            </Suspense>
        </div>
    );
}
