import { Select, TextInput } from "@mantine/core";
import { useWords } from "@/words";
import { outcomeWords } from "@/words/outcomes";
import { runsWords } from "./words";

/** How the step ended of which no run knows the outcome. */
export interface Outcome {
    node: string;
    as: "completed" | "failed" | "retry";
}

interface Props {
    value: Outcome;
    onChange: (value: Outcome) => void;
}

/** What a person says of a step whose request was sent, and was not answered, in many runs. */
export function BulkSettle({ value, onChange }: Props) {
    const t = useWords(runsWords);
    const o = useWords(outcomeWords);
    return (
        <>
            <TextInput
                label={t("settleNode")}
                description={t("settleHelp")}
                value={value.node}
                maxLength={200}
                required
                onChange={(event) => onChange({ ...value, node: event.currentTarget.value })}
            />
            <Select
                label={o("settleAs")}
                data={(["completed", "failed", "retry"] as const).map((as) => ({
                    value: as,
                    label: o(as),
                }))}
                value={value.as}
                allowDeselect={false}
                onChange={(as) => onChange({ ...value, as: as as Outcome["as"] })}
            />
        </>
    );
}
