import { Button, Group, NumberInput, Text } from "@mantine/core";
import { useWords } from "@/words";
import { builderWords } from "../words";
import { HandleInput } from "./HandleInput";
import { type Row, RowsField } from "./RowsField";

interface Props {
    config: Row;
    write: (part: Row) => void;
}

const shareOf = (row: Row) => (typeof row.share === "number" ? row.share : 0);

/** Shares of a hundred that add up to a hundred. */
function even(rows: Row[]): Row[] {
    const each = Math.floor(100 / rows.length);
    return rows.map((row, i) => ({
        ...row,
        share: i === 0 ? 100 - each * (rows.length - 1) : each,
    }));
}

/** Variants with their shares, and what they add up to. */
export function SplitForm({ config, write }: Props) {
    const t = useWords(builderWords);
    const rows = Array.isArray(config.variants) ? (config.variants as Row[]) : [];
    const sum = rows.reduce((all, row) => all + shareOf(row), 0);
    const names = rows.map((row) => String(row.name ?? ""));
    const next = "abcdefghijklmnopqrst".split("").find((one) => !names.includes(one)) ?? "variant";
    return (
        <RowsField
            label={t("variants")}
            description={t("variantsHelp")}
            rows={rows}
            fresh={{ name: next, share: 1 }}
            atLeast={1}
            onChange={(variants) =>
                write({ variants: variants.length === rows.length ? variants : even(variants) })
            }
            row={(row, writeRow, i) => (
                <Group gap={6} wrap="nowrap" align="flex-end">
                    <HandleInput
                        label={t("variantName")}
                        value={String(row.name ?? "")}
                        needed
                        taken={names.filter((_, other) => other !== i)}
                        onChange={(name) => writeRow({ name })}
                    />
                    <NumberInput
                        label={t("variantShare")}
                        w={90}
                        min={1}
                        max={1000000}
                        allowDecimal={false}
                        value={shareOf(row)}
                        onChange={(share) => writeRow({ share: Number(share) })}
                    />
                    <Text size="xs" c="dimmed" className="numbers" w={48} mb={6}>
                        {sum > 0 ? `${Math.round((1000 * shareOf(row)) / sum) / 10} %` : ""}
                    </Text>
                </Group>
            )}
            below={
                <>
                    <Button
                        size="compact-xs"
                        variant="subtle"
                        onClick={() => write({ variants: even(rows) })}
                    >
                        {t("variantsEven")}
                    </Button>
                    <Text size="xs" c={sum === 100 ? "dimmed" : "orange"} className="numbers">
                        {t("variantsSum", { sum })}
                    </Text>
                </>
            }
        />
    );
}
