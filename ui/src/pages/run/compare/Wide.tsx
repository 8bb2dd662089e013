import type { ReactNode } from "react";
import classes from "./Compare.module.css";

/** A table that scrolls sideways where the page is narrow. */
export function Wide({ label, children }: { label: string; children: ReactNode }) {
    return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <section className={classes.scroll} tabIndex={0} aria-label={label}>
            {children}
        </section>
    );
}
