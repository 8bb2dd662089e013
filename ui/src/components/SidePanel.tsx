import { Drawer, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import classes from "./SidePanel.module.css";

interface Props {
    title: string;
    close: () => void;
    /** Buttons below the title. */
    actions?: ReactNode;
    children: ReactNode;
}

/** One thing of a list in detail, over the right half of the page. */
export function SidePanel({ title, close, actions, children }: Props) {
    const t = useWords(commonWords);
    return (
        <Drawer
            opened
            onClose={close}
            position="right"
            size="lg"
            title={<span className={classes.title}>{title}</span>}
            closeButtonProps={{ "aria-label": t("close") }}
        >
            {actions && (
                <Group gap="xs" mb="md">
                    {actions}
                </Group>
            )}
            {children}
        </Drawer>
    );
}

/** What a thing is, as names and values. */
export function FactList({ facts }: { facts: [name: string, value: ReactNode][] }) {
    return (
        <dl className={classes.facts}>
            {facts.map(([name, value]) => (
                <div key={name} className={classes.fact}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            ))}
        </dl>
    );
}
