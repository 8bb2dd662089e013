import { Alert, Button, CloseButton, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ManyState } from "@/data/useMany";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import classes from "./SelectionBar.module.css";

interface Props {
    /** Names the bar for screen readers. */
    label: string;
    /** How many are selected, in words. */
    says: string;
    many: ManyState;
    clear: () => void;
    /** The buttons; while one of them works, how far it is stands in their place. */
    children: ReactNode;
}

/** What can be done to the selected rows, below the list. */
export function SelectionBar({ label, says, many, clear, children }: Props) {
    const t = useWords(commonWords);
    return (
        <div className={classes.bar} role="toolbar" aria-label={label}>
            {many.going ? (
                <>
                    <Text fw={500} className="numbers" role="status">
                        {t("acting", { ...many.going })}
                    </Text>
                    <Button variant="light" color="red" onClick={many.stop}>
                        {t("stop")}
                    </Button>
                </>
            ) : (
                <>
                    <Text fw={500} className="numbers" role="status">
                        {says}
                    </Text>
                    {children}
                    <CloseButton
                        size="sm"
                        className={classes.clear ?? ""}
                        aria-label={t("clear")}
                        onClick={clear}
                    />
                </>
            )}
        </div>
    );
}

interface RefusedProps {
    many: ManyState;
    title: string;
    /** How one of them is named, such as a link to it. */
    name?: (id: string) => ReactNode;
}

const shownMost = 5;

/** What could not be changed, and why. */
export function RefusedAlert({ many, title, name }: RefusedProps) {
    const t = useWords(commonWords);
    const { refused } = many;
    if (refused.length === 0) return null;
    return (
        <Alert
            color="blue"
            variant="light"
            radius={0}
            withCloseButton
            closeButtonLabel={t("close")}
            onClose={many.forget}
            title={title}
            role="alert"
        >
            {refused.slice(0, shownMost).map((one) => (
                <div key={one.id} className={classes.refused}>
                    {name && <>{name(one.id)} </>}
                    {one.why}
                </div>
            ))}
            {refused.length > shownMost && t("more", { count: refused.length - shownMost })}
        </Alert>
    );
}
