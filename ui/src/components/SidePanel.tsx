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
        <Drawer.Root opened onClose={close} position="right" size="lg">
            <Drawer.Overlay />
            <Drawer.Content>
                {/* No <header>: with a dialog over it there would be two of them. */}
                <div className={classes.head}>
                    <Drawer.Title className={classes.title ?? ""}>{title}</Drawer.Title>
                    <Drawer.CloseButton aria-label={t("close")} />
                </div>
                <Drawer.Body>
                    {actions && (
                        <Group gap="xs" mb="md">
                            {actions}
                        </Group>
                    )}
                    {children}
                </Drawer.Body>
            </Drawer.Content>
        </Drawer.Root>
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
