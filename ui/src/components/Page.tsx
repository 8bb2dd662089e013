import { Title } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import classes from "./Page.module.css";

interface Props {
    title: string;
    /** Where the page belongs: shown before the title. */
    parents?: { title: string; to: string }[];
    /** Beside the title: a badge, an id. */
    aside?: ReactNode;
    /** At the right: buttons. The page's CopyMenu belongs here, too. */
    actions?: ReactNode;
    /** Below the title, above the content, and not scrolled with it. */
    bar?: ReactNode;
    /** The content scrolls by itself (tables, canvases). */
    filled?: boolean;
    children: ReactNode;
}

/** The frame of every page: its title, where it belongs, its actions, its content. */
export function Page({ title, parents = [], aside, actions, bar, filled, children }: Props) {
    useEffect(() => {
        document.title = `${title} · Pawl`;
    }, [title]);
    return (
        <div className={classes.page}>
            <header className={classes.head} data-page-part>
                <div className={classes.where}>
                    {parents.map((parent) => (
                        <span key={parent.to} className={classes.parent}>
                            <Link to={parent.to as "/"}>{parent.title}</Link>
                            <IconChevronRight size={13} aria-hidden />
                        </span>
                    ))}
                    <Title order={1} className="truncate">
                        {title}
                    </Title>
                    {aside}
                </div>
                {actions && <div className={classes.actions}>{actions}</div>}
            </header>
            {bar && (
                <div className={classes.bar} data-page-part>
                    {bar}
                </div>
            )}
            <div className={filled ? classes.filled : classes.content}>{children}</div>
        </div>
    );
}
