import { Button, Select } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useWords } from "@/words";
import type { Workflow } from "../data";
import classes from "./Panel.module.css";
import { canvasWords } from "./words";

interface Props {
    /** Versions that hold open runs and are not the one that is shown. */
    versions: Workflow[];
    shown: number;
    onShow: (version: number) => void;
}

/** How many are on versions whose steps this graph need not have; a click lists them. */
export function OtherVersions({ versions, shown, onShow }: Props) {
    const t = useWords(canvasWords);
    const first = versions[0];
    if (!first) return null;
    const count = versions.reduce((sum, one) => sum + (one.open_runs ?? 0), 0);
    const older = versions.every((one) => one.version < shown);
    return (
        <Button
            size="compact-xs"
            variant="light"
            color="orange"
            leftSection={<IconHistory size={13} />}
            data-others={count}
            onClick={() => onShow(first.version)}
        >
            {t(older ? "onOlder" : "onOthers", { count })}
        </Button>
    );
}

interface ChoiceProps {
    versions: Workflow[];
    shown: string;
    onShow: (version: string) => void;
}

/** Of several versions that hold runs, the one whose runs are listed. */
export function VersionChoice({ versions, shown, onShow }: ChoiceProps) {
    const t = useWords(canvasWords);
    if (versions.length < 2) return null;
    return (
        <Select
            className={classes.acts ?? ""}
            aria-label={t("versionShown")}
            allowDeselect={false}
            data={versions.map((one) => ({
                value: String(one.version),
                label: t("ofVersion", {
                    version: one.label ?? one.version,
                    count: one.open_runs ?? 0,
                }),
            }))}
            value={shown}
            onChange={(next) => next && onShow(next)}
        />
    );
}
