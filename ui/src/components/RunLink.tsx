import { Link } from "@tanstack/react-router";
import { shortId } from "@/data/ids";

/** A run by its short id; the whole one is in its title and its address. */
export function RunLink({ id }: { id: string }) {
    return (
        <Link to="/runs/$id" params={{ id }} className="mono" title={id}>
            {shortId(id)}
        </Link>
    );
}
