import { Popover, SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { StepList } from "./StepList";
import { useDraft } from "./store";
import type { Anchor, Where } from "./types";
import { edgeBehind } from "./walk";
import { builderWords } from "./words";

export interface Offer {
    where: Where;
    anchor: Anchor;
    /** Ways out to choose from, by keyboard. */
    ways?: string[];
}

interface Props {
    offer: Offer;
    onClose: () => void;
    onPick: (type: string, where: Where, way: string | undefined) => void;
}

/** The list of steps that can be added at one place: one for the whole canvas. */
export function AddDialog({ offer, onClose, onPick }: Props) {
    const t = useWords(builderWords);
    const said = useSaid("handle");
    const { anchor, where, ways = [] } = offer;
    const [way, setWay] = useState(ways[0]);
    const draft = useDraft();
    // As in the builder: a way out that leads on already gets the step between the two.
    const { after } = where;
    const leadsOn = after && way !== undefined && edgeBehind(draft, after.from, way);
    return (
        <Popover
            opened
            onChange={(open) => !open && onClose()}
            onClose={onClose}
            position="right-start"
            trapFocus
            returnFocus
            withinPortal
        >
            <Popover.Target>
                <div
                    style={{
                        position: "fixed",
                        left: anchor.x,
                        top: anchor.y,
                        width: 1,
                        height: 1,
                    }}
                />
            </Popover.Target>
            <Popover.Dropdown p={6} aria-label={t("add")}>
                {ways.length > 1 && way !== undefined && (
                    <>
                        <Text size="xs" c="dimmed" mb={4}>
                            {t("wayOut")}
                        </Text>
                        <SegmentedControl
                            size="xs"
                            fullWidth
                            mb={6}
                            aria-label={t("wayOut")}
                            data={ways.map((value) => ({ value, label: said(value) }))}
                            value={way}
                            onChange={setWay}
                        />
                    </>
                )}
                <StepList
                    inside
                    between={Boolean(where.into ?? leadsOn)}
                    onPick={(type) => onPick(type, where, way)}
                />
            </Popover.Dropdown>
        </Popover>
    );
}
