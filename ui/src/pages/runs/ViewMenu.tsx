import { ActionIcon, Button, Group, Menu, Modal, TextInput } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { IconBookmark, IconChevronDown, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useActions } from "@/data/actions";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import type { Filter } from "./filter";
import classes from "./RunsPage.module.css";
import { runsWords } from "./words";

interface View {
    name: string;
    filter: Filter;
}

interface Props {
    filter: Filter;
    onOpen: (filter: Filter) => void;
}

/** Filters that are used again and again, kept in this browser under a name. */
export function ViewMenu({ filter, onOpen }: Props) {
    const t = useWords(runsWords);
    const c = useWords(commonWords);
    const [views, setViews] = useLocalStorage<View[]>({ key: "pawl-runs-views", defaultValue: [] });
    const [saving, dialog] = useDisclosure();
    const [name, setName] = useState("");
    const given: View[] = [
        { name: t("viewOpen"), filter: { status: "queued,running,waiting" } },
        { name: t("viewWaiting"), filter: { status: "waiting" } },
        { name: t("viewFailedToday"), filter: { status: "failed", after: "24h" } },
    ];
    useActions([
        ...[...given, ...views].map((view) => ({
            label: `${t("views")}: ${view.name}`,
            run: () => onOpen(view.filter),
        })),
        { label: t("saveView"), run: dialog.open },
    ]);
    const save = (event: FormEvent) => {
        event.preventDefault();
        const kept = views.filter((view) => view.name !== name.trim());
        setViews([...kept, { name: name.trim(), filter }]);
        setName("");
        dialog.close();
    };
    return (
        <>
            <Menu position="bottom-end" width={240}>
                <Menu.Target>
                    <Button
                        variant="default"
                        leftSection={<IconBookmark size={14} />}
                        rightSection={<IconChevronDown size={12} />}
                        aria-label={t("views")}
                    >
                        <span className={classes.viewsLabel}>{t("views")}</span>
                    </Button>
                </Menu.Target>
                <Menu.Dropdown>
                    {given.map((view) => (
                        <Menu.Item key={view.name} onClick={() => onOpen(view.filter)}>
                            {view.name}
                        </Menu.Item>
                    ))}
                    {views.length > 0 && <Menu.Divider />}
                    {views.map((view) => (
                        <Group key={view.name} gap={2} wrap="nowrap">
                            <Menu.Item onClick={() => onOpen(view.filter)}>{view.name}</Menu.Item>
                            <ActionIcon
                                size="sm"
                                aria-label={t("removeView", { name: view.name })}
                                onClick={() => setViews(views.filter((one) => one !== view))}
                            >
                                <IconTrash size={13} />
                            </ActionIcon>
                        </Group>
                    ))}
                    <Menu.Divider />
                    <Menu.Item onClick={dialog.open}>{t("saveView")}</Menu.Item>
                </Menu.Dropdown>
            </Menu>
            <Modal opened={saving} onClose={dialog.close} title={t("saveView")} size="sm">
                <form onSubmit={save}>
                    <TextInput
                        label={t("viewName")}
                        value={name}
                        maxLength={80}
                        onChange={(event) => setName(event.currentTarget.value)}
                        data-autofocus
                        required
                    />
                    <Group justify="flex-end" mt="md">
                        <Button variant="default" onClick={dialog.close}>
                            {c("cancel")}
                        </Button>
                        <Button type="submit" disabled={name.trim() === ""}>
                            {c("save")}
                        </Button>
                    </Group>
                </form>
            </Modal>
        </>
    );
}
