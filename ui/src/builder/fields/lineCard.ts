import { formatJson } from "@/data/json";
import type { Row } from "./RowsField";

/** A button below a card: it opens an address, or says something for the person. */
export interface CardButton {
    label: string;
    kind: "uri" | "message";
    /** The address or the words. */
    does: string;
}

/** One card of LINE, as most people need it: a picture, words, buttons. */
export interface Card {
    picture: string;
    title: string;
    text: string;
    buttons: CardButton[];
}

/** What stands in lists of chats, and the cards, side by side if there are several. */
export interface Cards {
    altText: string;
    cards: Card[];
}

export const freshCard: Card = { picture: "", title: "", text: "", buttons: [] };

const line = (text: string, more: Row): Row => ({ type: "text", text, wrap: true, ...more });

function bubbleOf({ picture, title, text, buttons }: Card): Row {
    const hero = {
        type: "image",
        url: picture,
        size: "full",
        aspectRatio: "20:13",
        aspectMode: "cover",
    };
    const body = [
        ...(title === "" ? [] : [line(title, { weight: "bold", size: "lg" })]),
        ...(text === "" && title !== "" ? [] : [line(text, {})]),
    ];
    const footer = buttons.map(({ label, kind, does }, i) => ({
        type: "button",
        style: i === 0 ? "primary" : "secondary",
        action: { type: kind, label, [kind === "uri" ? "uri" : "text"]: does },
    }));
    const box = (contents: Row[]) => ({
        type: "box",
        layout: "vertical",
        spacing: "sm",
        contents,
    });
    return {
        type: "bubble",
        ...(picture === "" ? {} : { hero }),
        body: box(body),
        ...(footer.length === 0 ? {} : { footer: box(footer) }),
    };
}

/** As LINE takes it. */
export function messageOf({ altText, cards }: Cards): Row {
    const bubbles = cards.map(bubbleOf);
    const contents = bubbles.length === 1 ? bubbles[0] : { type: "carousel", contents: bubbles };
    return { type: "flex", altText, contents };
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const at = (value: unknown, ...path: (string | number)[]): unknown =>
    path.reduce<unknown>(
        (inside, key) =>
            typeof inside === "object" && inside !== null
                ? (inside as Record<string | number, unknown>)[key]
                : undefined,
        value,
    );
const listAt = (value: unknown, ...path: string[]): unknown[] => {
    const found = at(value, ...path);
    return Array.isArray(found) ? found : [];
};

function cardOf(bubble: unknown): Card {
    const lines = listAt(bubble, "body", "contents");
    const titled = at(lines[0], "weight") === "bold";
    return {
        picture: text(at(bubble, "hero", "url")),
        title: titled ? text(at(lines[0], "text")) : "",
        text: text(at(lines[titled ? 1 : 0], "text")),
        buttons: listAt(bubble, "footer", "contents").map((one) => {
            const kind = at(one, "action", "type") === "message" ? "message" : "uri";
            const does = at(one, "action", kind === "uri" ? "uri" : "text");
            return { label: text(at(one, "action", "label")), kind, does: text(does) };
        }),
    };
}

/** Members in one order, so that texts of values can be compared. */
function sorted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const entries = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const same = (a: unknown, b: unknown) => formatJson(sorted(a)) === formatJson(sorted(b));

/** The cards of a message; none: it says more than the form, which would lose it. */
export function cardsOf(message: Row): Cards | undefined {
    const several = at(message, "contents", "type") === "carousel";
    const bubbles = several ? listAt(message, "contents", "contents") : [message.contents];
    const read = { altText: text(message.altText), cards: bubbles.map(cardOf) };
    return bubbles.length > 0 && same(messageOf(read), message) ? read : undefined;
}
