import { Drawer } from "@mantine/core";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import classes from "./Shell.module.css";
import { SideBar } from "./SideBar";

interface Props {
    opened: boolean;
    close: () => void;
    showKeys: () => void;
}

/** The left bar on narrow screens. */
export function MenuDrawer({ opened, close, showKeys }: Props) {
    const t = useWords(shellWords);
    return (
        <Drawer.Root opened={opened} onClose={close} size={240} padding={0}>
            <Drawer.Overlay />
            <Drawer.Content className={classes.drawer ?? ""} aria-label={t("navigation")}>
                <Drawer.Body className={classes.drawerBody ?? ""}>
                    <SideBar showKeys={showKeys} />
                </Drawer.Body>
            </Drawer.Content>
        </Drawer.Root>
    );
}
