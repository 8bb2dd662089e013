import { shortId } from "@/data/ids";
import { CopyButton } from "./CopyButton";
import classes from "./IdText.module.css";

/** An id in full or short, with a button that copies all of it. */
export function IdText({ id, short }: { id: string; short?: boolean }) {
    return (
        <span className={classes.id}>
            <span className="mono truncate" title={id}>
                {short ? shortId(id) : id}
            </span>
            <CopyButton text={id} size="xs" />
        </span>
    );
}
