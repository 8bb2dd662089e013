import { useMemo } from "react";
import { styleNonce } from "@/data/place";
import { frameOf } from "./frame";
import classes from "./Phone.module.css";

/** A mail as it looks, in a frame that runs no script and loads nothing. */
export function MailFrame({ html, title }: { html: string; title: string }) {
    const page = useMemo(() => frameOf(html, styleNonce), [html]);
    return <iframe title={title} sandbox="" srcDoc={page} className={classes.frame} />;
}
