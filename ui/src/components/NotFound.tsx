import { Button } from "@mantine/core";
import { IconMapQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import { EmptyState } from "./EmptyState";

export function NotFound() {
    const t = useWords(shellWords);
    return (
        <EmptyState icon={IconMapQuestion} title={t("notFound")} text={t("notFoundHelp")}>
            <Button component={Link} to="/" variant="light">
                {t("goHome")}
            </Button>
        </EmptyState>
    );
}
