import { ActionIcon, Popover } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "@/words";
import type { GraphEdge, Place } from "./graph";
import { StepList } from "./StepList";
import { useTools } from "./types";
import { builderWords } from "./words";

interface Props {
    after?: Place;
    into?: GraphEdge;
    className?: string | undefined;
}

/** The "+" behind a way out or in the middle of an edge. */
export function AddStep({ after, into, className }: Props) {
    const t = useWords(builderWords);
    const { add } = useTools();
    const [open, setOpen] = useState(false);
    const label = after ? t("addBehind", { handle: after.handle }) : t("addHere");
    return (
        <Popover opened={open} onChange={setOpen} position="right-start" trapFocus withinPortal>
            <Popover.Target>
                <ActionIcon
                    size={20}
                    radius="xl"
                    variant="default"
                    aria-label={label}
                    className={`nodrag nopan ${className ?? ""}`}
                    onClick={(event) => {
                        event.stopPropagation();
                        setOpen(!open);
                    }}
                >
                    <IconPlus size={12} />
                </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown p={6}>
                <StepList
                    inside
                    onPick={(type) => {
                        setOpen(false);
                        add(type, { ...(after ? { after } : {}), ...(into ? { into } : {}) });
                    }}
                />
            </Popover.Dropdown>
        </Popover>
    );
}
