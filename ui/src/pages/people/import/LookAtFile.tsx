import { Alert, Button, Group, NativeSelect, Progress, Text } from "@mantine/core";
import { shellWord } from "@/components/command";
import { DialogForm } from "@/components/DialogForm";
import { useWords } from "@/words";
import type { Checked, Lines } from "./check";
import { mappingProblems } from "./columns";
import classes from "./Import.module.css";
import { PreviewTable } from "./PreviewTable";
import type { ImportActions, Looked } from "./useImport";
import { importWords } from "./words";

interface Props {
    looked: Looked;
    work: ImportActions;
    close: () => void;
}

/** The rows that will be left out, by what is wrong with them. */
function leftOutOf({ broken, uneven, empty }: Checked, key: number) {
    return [
        { what: "broken", lines: broken },
        { what: "uneven", lines: uneven },
        ...(empty[key] ? [{ what: "noKey", lines: empty[key] }] : []),
    ].filter((one) => one.lines.count > 0) as {
        what: "broken" | "uneven" | "noKey";
        lines: Lines;
    }[];
}

function useLines() {
    const t = useWords(importWords);
    return ({ count, first }: Lines) => {
        const lines = first.map((line) => line.toLocaleString()).join(", ");
        return count > first.length ? t("atMoreLines", { lines }) : t("atLines", { count, lines });
    };
}

/** What a file would become, and what is wrong with it, before anything is sent. */
export function LookAtFile({ looked, work, close }: Props) {
    const t = useWords(importWords);
    const saidLines = useLines();
    const { file, head, places, read, checked } = looked;
    const problems = head ? mappingProblems(head.columns, places) : [];
    const leftOut = checked ? leftOutOf(checked, places.indexOf("key")) : [];
    const count = leftOut.reduce((rest, one) => rest - one.lines.count, checked?.rows ?? 0);
    const percent = Math.floor((100 * read) / Math.max(1, file.size));
    return (
        <DialogForm
            submit={t("submit", { count: problems.length > 0 ? 0 : count })}
            ready={checked !== undefined && problems.length === 0 && count > 0}
            onSubmit={() => void work.send()}
            close={close}
            copy={{ cli: `people import ${shellWord(file.name)}` }}
        >
            <Group justify="space-between" align="flex-end" gap="xs">
                <Text fw={500} className={classes.name} role="status">
                    {checked
                        ? t("rowsIn", { count: checked.rows, file: file.name })
                        : t("reading", { file: file.name })}
                </Text>
                <Group gap="xs" align="flex-end">
                    {head && (
                        <NativeSelect
                            size="xs"
                            aria-label={t("encoding")}
                            value={head.format.encoding}
                            onChange={(event) => void work.choose(file, event.currentTarget.value)}
                            data={[
                                { value: "utf-8", label: "UTF-8" },
                                { value: "utf-16le", label: "UTF-16" },
                                { value: "utf-16be", label: "UTF-16 BE" },
                                { value: "windows-874", label: t("thai") },
                                { value: "windows-1252", label: t("western") },
                            ]}
                        />
                    )}
                    <Button variant="default" onClick={work.reset}>
                        {t("another")}
                    </Button>
                </Group>
            </Group>
            {!checked && (
                <Progress aria-label={t("readSoFar", { percent })} value={percent} animated />
            )}
            {head && <PreviewTable head={head} places={places} setPlace={work.setPlace} />}
            {problems.map(({ what, columns }) => (
                <Alert key={`${what} ${columns}`} color="red" variant="light" role="alert">
                    {t(what, { columns: columns.join(", ") })}
                </Alert>
            ))}
            {leftOut.length > 0 && (
                <Alert color="orange" variant="light" title={t("willLeaveOut")}>
                    <ul className={classes.lines}>
                        {leftOut.map(({ what, lines }) => (
                            <li key={what}>
                                {t(`leftOut_${what}`, { count: lines.count })}: {saidLines(lines)}
                            </li>
                        ))}
                    </ul>
                </Alert>
            )}
            <Text size="xs" c="dimmed">
                {t("emptyCell")}
            </Text>
        </DialogForm>
    );
}
