import { ActionIcon, Menu } from "@mantine/core";
import {
    IconArchive,
    IconArrowBackUp,
    IconArrowsRightLeft,
    IconDotsVertical,
    IconPercentage,
} from "@tabler/icons-react";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "../data";
import { versionWords } from "./words";

interface Props {
    workflow: Workflow;
    version: Workflow;
    ask: (what: "share" | "move" | "roll") => void;
}

/** What can be done with a version. */
export function VersionMenu({ workflow, version, ask }: Props) {
    const t = useWords(versionWords);
    const may = useMay("workflows:write");
    const number = version.version;
    const retire = useAct({
        run: (what: "retire" | "unretire") =>
            request(
                "POST",
                `${pathOf(workflow.name)}/versions/${number}/${what}`,
                what === "retire" ? { drain: true } : {},
            ),
        done: (_, what) =>
            t(what === "retire" ? "retireDone" : "unretireDone", { version: number }),
        changes: [["workflows"]],
    });
    if (!may) return null;
    const head = number === workflow.version;
    return (
        <Menu position="bottom-end">
            <Menu.Target>
                <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t("manage", { version: version.label ?? number })}
                >
                    <IconDotsVertical size={15} />
                </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
                {!head && !version.retired_at && (
                    <Menu.Item
                        leftSection={<IconArrowBackUp size={14} />}
                        onClick={() => ask("roll")}
                    >
                        {t("rollBack")}
                    </Menu.Item>
                )}
                {!head && !version.retired_at && (
                    <Menu.Item
                        leftSection={<IconPercentage size={14} />}
                        onClick={() => ask("share")}
                    >
                        {t("setShare")}
                    </Menu.Item>
                )}
                {!version.retired_at && (
                    <Menu.Item
                        leftSection={<IconArrowsRightLeft size={14} />}
                        onClick={() => ask("move")}
                    >
                        {t("move")}
                    </Menu.Item>
                )}
                {!head && (
                    <Menu.Item
                        leftSection={<IconArchive size={14} />}
                        onClick={() => retire.mutate(version.retired_at ? "unretire" : "retire")}
                    >
                        {t(version.retired_at ? "unretire" : "retire")}
                    </Menu.Item>
                )}
            </Menu.Dropdown>
        </Menu>
    );
}
