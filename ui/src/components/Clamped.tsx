import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "@/words";
import classes from "./Clamped.module.css";
import { clampedWords } from "./wordsClamped";

/** A text of any length: its first lines, and a button that shows the rest, which scrolls. */
export function Clamped({ children, lines = 4 }: { children: ReactNode; lines?: number }) {
    const t = useWords(clampedWords);
    const text = useRef<HTMLDivElement>(null);
    const [long, setLong] = useState(false);
    const [open, setOpen] = useState(false);
    useLayoutEffect(() => {
        const box = text.current;
        if (!box || open) return;
        const look = () => setLong(box.scrollHeight > box.clientHeight + 1);
        look();
        const watch = new ResizeObserver(look);
        watch.observe(box);
        return () => watch.disconnect();
    }, [open]);
    return (
        <div className={classes.box}>
            <div
                ref={text}
                className={open ? classes.all : classes.some}
                style={{ ["--lines" as string]: lines }}
                data-clamped={(long && !open) || undefined}
                {...(open ? { tabIndex: 0, role: "group", "aria-label": t("wholeText") } : {})}
            >
                {children}
            </div>
            {(long || open) && (
                <UnstyledButton
                    className={classes.more ?? ""}
                    aria-expanded={open}
                    onClick={() => setOpen(!open)}
                >
                    {t(open ? "showLess" : "showWhole")}
                </UnstyledButton>
            )}
        </div>
    );
}
