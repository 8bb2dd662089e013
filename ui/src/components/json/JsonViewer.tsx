import { ActionIcon, TextInput } from "@mantine/core";
import { IconDownload, IconFold, IconLayoutNavbarExpand, IconSearch } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { formatJson } from "@/data/json";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { CopyButton } from "../CopyButton";
import { Hint } from "../Hint";
import { JsonLine } from "./JsonLine";
import classes from "./JsonViewer.module.css";
import { linesOf, search } from "./tree";

interface Props {
    value: unknown;
    /** Names the value for screen readers, and the file when it is downloaded. */
    name: string;
    /** How deep it is open at first. */
    depth?: number;
    height?: number;
}

const lineHeight = 21;

/** Any JSON: collapse, search, copy, exact numbers. Draws only the lines that can be seen. */
export function JsonViewer({ value, name, depth = 3, height = 420 }: Props) {
    const t = useWords(commonWords);
    const [text, setText] = useState("");
    const [base, setBase] = useState(depth);
    const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
    const found = useMemo(() => search(value, text.trim()), [value, text]);
    const lines = useMemo(
        () =>
            linesOf(value, (path, level) => {
                if (found.open.has(path)) return true;
                return level < base !== toggled.has(path);
            }),
        [value, base, toggled, found],
    );
    const scroller = useRef<HTMLDivElement>(null);
    const rows = useVirtualizer({
        count: lines.length,
        getScrollElement: () => scroller.current,
        estimateSize: () => lineHeight,
        overscan: 12,
    });
    const toggle = (path: string) =>
        setToggled((old) => {
            const next = new Set(old);
            if (!next.delete(path)) next.add(path);
            return next;
        });
    const all = (level: number) => {
        setBase(level);
        setToggled(new Set());
    };
    return (
        <div className={classes.viewer} data-own-keys>
            <div className={classes.tools}>
                <TextInput
                    className={classes.search}
                    size="xs"
                    variant="unstyled"
                    placeholder={t("searchIn")}
                    aria-label={`${t("searchIn")}: ${name}`}
                    leftSection={<IconSearch size={13} />}
                    value={text}
                    onChange={(event) => setText(event.currentTarget.value)}
                />
                {text && (
                    <span className={classes.count}>
                        {t("matches", { count: found.hits.size })}
                    </span>
                )}
                <Hint label={t("expandAll")}>
                    <ActionIcon size="sm" aria-label={t("expandAll")} onClick={() => all(100)}>
                        <IconLayoutNavbarExpand size={14} />
                    </ActionIcon>
                </Hint>
                <Hint label={t("collapseAll")}>
                    <ActionIcon size="sm" aria-label={t("collapseAll")} onClick={() => all(1)}>
                        <IconFold size={14} />
                    </ActionIcon>
                </Hint>
                <Hint label={t("download")}>
                    <ActionIcon
                        size="sm"
                        aria-label={t("download")}
                        onClick={() => download(`${name}.json`, formatJson(value))}
                    >
                        <IconDownload size={14} />
                    </ActionIcon>
                </Hint>
                <CopyButton text={formatJson(value)} />
            </div>
            <section
                ref={scroller}
                className={classes.lines}
                style={{ maxHeight: height }}
                aria-label={name}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
                tabIndex={0}
            >
                <div style={{ height: rows.getTotalSize(), position: "relative" }}>
                    {rows.getVirtualItems().map((row) => {
                        const line = lines[row.index]!;
                        return (
                            <JsonLine
                                key={line.path}
                                line={line}
                                top={row.start}
                                hit={found.hits.has(line.path)}
                                toggle={toggle}
                            />
                        );
                    })}
                </div>
            </section>
        </div>
    );
}

/** Saves text, or a file that was made here, as a file of the viewer's machine. */
export function download(name: string, content: string | Blob, type = "application/json"): void {
    const file = typeof content === "string" ? new Blob([content], { type }) : content;
    const url = URL.createObjectURL(file);
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
}
