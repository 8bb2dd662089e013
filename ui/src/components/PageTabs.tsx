import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import classes from "./PageTabs.module.css";

interface Props {
    label: string;
    /** The page; the tab is `tab` of its address. */
    to: "/operations" | "/settings";
    tabs: readonly { id: string; title: string }[];
    current: string;
}

/** Parts of a page, each at an address of its own. */
export function PageTabs({ label, to, tabs, current }: Props) {
    const bar = useRef<HTMLElement>(null);
    const router = useRouter();
    // Where not all of them have room, the current one is seen.
    // biome-ignore lint/correctness/useExhaustiveDependencies: another tab, another place
    useEffect(() => {
        const show = () =>
            bar.current
                ?.querySelector("[data-current]")
                ?.scrollIntoView({ block: "nearest", inline: "nearest" });
        show();
        // The way back restores where the bar was scrolled to when it was left.
        return router.subscribe("onRendered", show);
    }, [current, router]);
    return (
        <nav ref={bar} aria-label={label} className={classes.tabs}>
            {tabs.map((tab) => (
                <Link
                    key={tab.id}
                    to={to}
                    search={{ tab: tab.id }}
                    className={classes.tab ?? ""}
                    data-current={tab.id === current || undefined}
                    aria-current={tab.id === current ? "page" : undefined}
                >
                    {tab.title}
                </Link>
            ))}
        </nav>
    );
}
