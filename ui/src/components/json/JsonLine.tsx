import { IconChevronRight } from "@tabler/icons-react";
import { formatJson } from "@/data/json";
import { microsHint } from "@/data/time";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { CopyButton } from "../CopyButton";
import classes from "./JsonViewer.module.css";
import type { Line } from "./tree";

interface Props {
    line: Line;
    top: number;
    hit: boolean;
    toggle: (path: string) => void;
}

// A text of a megabyte on one line stops a browser; all of it can be copied.
const shown = 2000;

// Characters that turn the direction of what follows: shown, not obeyed.
const turning = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

function visible(text: string): string {
    return text.replace(turning, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function leaf(line: Line): string {
    const text = line.kind === "string" ? JSON.stringify(line.value) : String(line.value ?? null);
    return visible(text.length > shown ? `${text.slice(0, shown)}…` : text);
}

export function JsonLine({ line, top, hit, toggle }: Props) {
    const t = useWords(commonWords);
    const branch = line.kind === "object" || line.kind === "array";
    const [left, right] = line.kind === "array" ? "[]" : "{}";
    return (
        <div
            className={classes.line}
            style={{ transform: `translateY(${top}px)`, paddingLeft: 6 + line.depth * 16 }}
            data-hit={hit || undefined}
        >
            {branch && line.size > 0 ? (
                <button
                    type="button"
                    className={classes.fold}
                    data-open={line.open || undefined}
                    aria-expanded={line.open}
                    aria-label={String(line.key ?? left)}
                    onClick={() => toggle(line.path)}
                >
                    <IconChevronRight size={12} />
                </button>
            ) : (
                <span className={classes.fold} />
            )}
            {line.key !== undefined && (
                <span className={classes.key}>{visible(String(line.key))}</span>
            )}
            {line.key !== undefined && <span className={classes.mark}>: </span>}
            {branch ? (
                <span className={classes.mark}>
                    {line.size === 0 ? `${left}${right}` : line.open ? left : `${left}…${right}`}
                    {!line.open && line.size > 0 && (
                        <span className={classes.size}>{t("items", { count: line.size })}</span>
                    )}
                </span>
            ) : (
                <span
                    className={classes.value}
                    data-kind={line.kind}
                    title={microsHint(line.key, line.value)}
                >
                    {leaf(line)}
                </span>
            )}
            <span className={classes.copy}>
                <CopyButton
                    size="xs"
                    text={typeof line.value === "string" ? line.value : formatJson(line.value)}
                />
            </span>
        </div>
    );
}
