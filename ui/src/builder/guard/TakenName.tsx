import { Link } from "@tanstack/react-router";
import { useWords } from "@/words";
import type { Taken } from "./useTaken";
import { guardWords } from "./words";

/** Says that a name belongs to something else, which can be opened. */
export function TakenName({ name, by }: { name: string; by: Taken }) {
    const t = useWords(guardWords);
    return (
        <>
            {t(by === "workflow" ? "takenWorkflow" : "takenDraft")}:{" "}
            <Link
                to="/workflows/$name/edit"
                params={{ name }}
                style={{ color: "inherit", textDecoration: "underline" }}
            >
                {t("openIt")}
            </Link>
        </>
    );
}
