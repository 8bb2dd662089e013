import type { CSSProperties, ReactNode } from "react";
import { formatJson } from "@/data/json";
import classes from "./Phone.module.css";

type Part = Record<string, unknown>;

const isPart = (value: unknown): value is Part =>
    typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown) =>
    typeof value === "string" || typeof value === "number" ? String(value) : "";
const sizes: Record<string, number> = { xxs: 10, xs: 11, sm: 12, md: 14, lg: 17, xl: 20, xxl: 24 };
const deepest = 8;

/** Only what cannot reach beyond its place: colours and sizes of letters. */
function looks(part: Part): CSSProperties {
    const colour = /^#[0-9a-f]{6}([0-9a-f]{2})?$/i;
    return {
        ...(colour.test(text(part.color)) ? { color: text(part.color) } : {}),
        ...(colour.test(text(part.backgroundColor))
            ? { background: text(part.backgroundColor) }
            : {}),
        ...(part.weight === "bold" ? { fontWeight: 700 } : {}),
        ...(sizes[text(part.size)] ? { fontSize: sizes[text(part.size)] } : {}),
        ...(part.align === "center" || part.align === "end" ? { textAlign: part.align } : {}),
    };
}

const actionOf = (part: Part) => (isPart(part.action) ? part.action : {});

/** One part of a flex message, as LINE draws it, roughly. */
function FlexPart({ part, depth }: { part: unknown; depth: number }): ReactNode {
    if (!isPart(part) || depth > deepest) return null;
    if (part.type === "box") {
        return (
            <div className={classes.box} data-layout={text(part.layout)} style={looks(part)}>
                {list(part.contents).map((one, index) => (
                    <FlexPart key={index} part={one} depth={depth + 1} />
                ))}
            </div>
        );
    }
    if (part.type === "text") return <div style={looks(part)}>{text(part.text)}</div>;
    if (part.type === "button") {
        const action = actionOf(part);
        return (
            <div
                className={classes.flexButton}
                data-style={text(part.style)}
                title={text(action.uri ?? action.data)}
            >
                {text(action.label)}
            </div>
        );
    }
    if (part.type === "separator") return <hr />;
    if (part.type === "image" || part.type === "icon" || part.type === "video") {
        return <div className={classes.picture}>{text(part.url)}</div>;
    }
    if (part.type === "filler" || part.type === "spacer") return <span />;
    return <div>{text(part.type)}</div>;
}

function Bubble({ bubble }: { bubble: Part }) {
    return (
        <div className={classes.flex}>
            {["header", "hero", "body", "footer"].map(
                (name) =>
                    isPart(bubble[name]) && (
                        <div key={name} className={name === "hero" ? "" : classes.part}>
                            <FlexPart part={bubble[name]} depth={0} />
                        </div>
                    ),
            )}
        </div>
    );
}

function LineMessage({ message }: { message: unknown }) {
    if (!isPart(message)) return null;
    if (message.type === "text") return <div className={classes.bubble}>{text(message.text)}</div>;
    if (message.type === "flex" && isPart(message.contents)) {
        if (message.contents.type === "carousel") {
            return (
                <div className={classes.carousel}>
                    {list(message.contents.contents)
                        .filter(isPart)
                        .map((bubble, index) => (
                            <Bubble key={index} bubble={bubble} />
                        ))}
                </div>
            );
        }
        return <Bubble bubble={message.contents} />;
    }
    if (message.type === "sticker" || message.type === "image") {
        return (
            <div className={classes.picture}>
                {text(message.type)}{" "}
                {text(
                    message.originalContentUrl ??
                        `${text(message.packageId)}/${text(message.stickerId)}`,
                )}
            </div>
        );
    }
    return <div className={`${classes.bubble} mono`}>{formatJson(message)}</div>;
}

/** Messages of LINE, one bubble below the other. */
export function LineMessages({ messages }: { messages: unknown }) {
    return list(messages)
        .slice(0, 10)
        .map((message, index) => <LineMessage key={index} message={message} />);
}
