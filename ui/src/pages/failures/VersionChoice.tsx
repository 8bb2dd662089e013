import { Radio, Stack } from "@mantine/core";
import { useWords } from "@/words";
import { failuresWords } from "./words";

export type OnVersion = "same" | "active";

interface Props {
    value: OnVersion;
    onChange: (value: OnVersion) => void;
}

/** On which version of its workflow a run goes on. */
export function VersionChoice({ value, onChange }: Props) {
    const t = useWords(failuresWords);
    return (
        <Radio.Group
            label={t("onVersion")}
            value={value}
            onChange={(next) => onChange(next as OnVersion)}
        >
            <Stack gap={6} mt={4}>
                <Radio size="xs" value="same" label={t("sameVersion")} />
                <Radio
                    size="xs"
                    value="active"
                    label={t("activeVersion")}
                    description={t("activeVersionHelp")}
                />
            </Stack>
        </Radio.Group>
    );
}
