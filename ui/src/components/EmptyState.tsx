import { Stack, Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { CodeLine } from "./CodeLine";
import { asCurl, type CopyAs } from "./CopyMenu";
import classes from "./EmptyState.module.css";

interface Props {
    icon: Icon;
    title: string;
    text?: string;
    /** The command that would fill this list. */
    command?: string;
    /** The request that would; a text is the whole command. */
    curl?: string | CopyAs;
    /** The button that would. */
    children?: ReactNode;
}

/** An empty list teaches what would fill it: a button, a command, a request. */
export function EmptyState({ icon: Icon, title, text, command, curl, children }: Props) {
    const t = useWords(commonWords);
    return (
        <div className={classes.empty}>
            <div className={classes.icon}>
                <Icon size={22} stroke={1.5} aria-hidden />
            </div>
            <Title order={2} ta="center">
                {title}
            </Title>
            {text && (
                <Text c="dimmed" ta="center" maw={440}>
                    {text}
                </Text>
            )}
            {children && <div className={classes.actions}>{children}</div>}
            {(command || curl) && (
                <Stack gap="sm" w="100%" maw={560} mt="xs">
                    {command && <CodeLine label={t("emptyCommand")} text={command} />}
                    {curl && (
                        <CodeLine
                            label={t("emptyCurl")}
                            text={typeof curl === "string" ? curl : asCurl(curl)}
                        />
                    )}
                </Stack>
            )}
        </div>
    );
}
