import { Badge, Kbd } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "@/data/parts";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import { LiveState } from "./LiveState";
import { usePlaces } from "./nav";
import logo from "./pawl.svg";
import classes from "./SideBar.module.css";
import { useOpenTasks } from "./useOpenTasks";

const AccountMenu = lazyPart(async () => (await import("./AccountMenu")).AccountMenu);

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function SideBar({ showKeys }: { showKeys: () => void }) {
    const t = useWords(shellWords);
    const places = usePlaces();
    const tasks = useOpenTasks();
    return (
        <div className={classes.bar}>
            <div className={classes.brand}>
                <img src={logo} alt="" width={22} height={22} />
                <span>Pawl</span>
                <LiveState />
            </div>
            <button type="button" className={classes.search} onClick={spotlight.open}>
                <IconSearch size={14} aria-hidden />
                <span className="truncate">{t("search")}</span>
                <Kbd size="xs">{mac ? "⌘K" : "Ctrl K"}</Kbd>
            </button>
            <nav className={classes.nav} aria-label={t("navigation")}>
                {places.map((item) => (
                    <Link
                        key={item.to}
                        to={item.to}
                        className={classes.link ?? ""}
                        activeProps={{ "data-active": true, "aria-current": "page" }}
                        activeOptions={{ exact: item.to === "/", includeSearch: false }}
                    >
                        <item.icon size={16} stroke={1.6} aria-hidden />
                        <span className="truncate">{t(item.name)}</span>
                        {item.name === "inbox" && tasks.count > 0 && (
                            <Badge
                                size="xs"
                                variant="filled"
                                className={classes.count ?? ""}
                                aria-label={t("openTasks", { count: tasks.count })}
                            >
                                {tasks.more ? `${tasks.count}+` : tasks.count}
                            </Badge>
                        )}
                    </Link>
                ))}
            </nav>
            <Suspense fallback={<div className={classes.account} />}>
                <AccountMenu showKeys={showKeys} />
            </Suspense>
        </div>
    );
}
