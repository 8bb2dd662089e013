import { useEffect, useRef } from "react";
import { create } from "zustand";

export interface Shortcut {
    /** `?`, `g r` (one after the other), `mod+Enter` (Ctrl or Cmd). */
    keys: string;
    label: string;
    run: () => void;
    /** Also heard while typing in a field. */
    typing?: boolean;
    /** Also heard while a dialog covers the page. */
    covered?: boolean;
    /** Whether it is meant; if not, the key does what it always does. */
    when?: (event: KeyboardEvent) => boolean;
}

interface KeysState {
    groups: { name: string; shortcuts: Shortcut[] }[];
}

/** All shortcuts of what is on screen; the sheet shows them, and so does Ctrl+K. */
export const useKeys = create<KeysState>(() => ({ groups: [] }));

const isTyping = (target: EventTarget | null) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether a dialog covers the page: what it covers must not hear what is meant for it. */
const isCovered = () => document.querySelector("[role=dialog][aria-modal=true]") !== null;

let before = "";
let beforeAt = 0;

type Press = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** What the keys that are no letters and no digits write on the layout that shortcuts name. */
const signs: Record<string, string> = {
    Minus: "-_",
    Equal: "=+",
    BracketLeft: "[{",
    BracketRight: "]}",
    Semicolon: ";:",
    Quote: "'\"",
    Comma: ",<",
    Period: ".>",
    Slash: "/?",
    Backslash: "\\|",
    Backquote: "`~",
};
const digits = ")!@#$%^&*(";

const letterAt = (code: string) => /^Key([A-Z])$/.exec(code)?.[1];

/**
 * The key as shortcuts name it. A layout without Latin letters, such as Thai or Cyrillic, writes
 * others, and so do Alt on a Mac and keys for accents: there the place of the key counts.
 */
export function keyOf({ key, code, shiftKey }: Press): string {
    const letter = letterAt(code);
    // What Caps Lock does to letters is not meant.
    if (/^[a-z]$/i.test(key)) return shiftKey ? key.toUpperCase() : key.toLowerCase();
    const isOther = key === "Dead" || ([...key].length === 1 && key > "~");
    if (!isOther) return key;
    if (letter) return shiftKey ? letter : letter.toLowerCase();
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
    if (digit) return (shiftKey && digits[Number(digit)]) || digit;
    return signs[code]?.[shiftKey ? 1 : 0] ?? key;
}

/**
 * A key with what is held down, as shortcuts write it: `mod+z`, `shift+ArrowUp`. The first that
 * means something counts: Shift and the Z of a Thai layout write a bracket, and may mean either.
 */
export function pressed(event: Press): string[] {
    const key = keyOf(event);
    const mod = event.ctrlKey || event.metaKey ? "mod+" : "";
    // Letters and signs tell Shift by themselves.
    const shift = event.shiftKey && key.length > 1 ? "shift+" : "";
    const held = mod + (event.altKey ? "alt+" : "") + shift;
    const letter = event.shiftKey && /^[!-@[-`{-~]$/.test(key) && letterAt(event.code);
    return letter ? [held + key, held + letter] : [held + key];
}

/** What these keys mean now. What is on top was registered last. */
function meant(event: KeyboardEvent, keys: string[]): Shortcut | undefined {
    const typing = isTyping(event.target);
    const covered = isCovered();
    const heard = useKeys
        .getState()
        .groups.toReversed()
        .flatMap((group) => group.shortcuts)
        .filter(
            (one) =>
                keys.includes(one.keys) &&
                (!typing || one.typing) &&
                (!covered || one.covered) &&
                (!one.when || one.when(event)),
        );
    return keys.map((key) => heard.find((one) => one.keys === key)).find((one) => one);
}

function hear(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    const keys = pressed(event);
    const follows = before !== "" && event.timeStamp - beforeAt < 1200;
    const second = follows ? keys.map((key) => `${before} ${key}`) : [];
    // The second key of `g r` is not the key `r`.
    const shortcut = meant(event, second) ?? meant(event, keys);
    before = shortcut || isTyping(event.target) ? "" : (keys[0] ?? "");
    beforeAt = event.timeStamp;
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
}

if (typeof window !== "undefined") window.addEventListener("keydown", hear);

/** Offers shortcuts while the component is on screen. */
export function useShortcuts(name: string, shortcuts: Shortcut[]): void {
    const latest = useRef(shortcuts);
    latest.current = shortcuts;
    const shape = shortcuts.map((one) => `${one.keys}\n${one.label}`).join("\n");
    // biome-ignore lint/correctness/useExhaustiveDependencies: shape stands for the shortcuts
    useEffect(() => {
        const group = {
            name,
            shortcuts: latest.current.map((one, index) => ({
                ...one,
                run: () => latest.current[index]?.run(),
                ...(one.when
                    ? {
                          when: (event: KeyboardEvent) =>
                              latest.current[index]?.when?.(event) ?? true,
                      }
                    : {}),
            })),
        };
        useKeys.setState(({ groups }) => ({ groups: [...groups, group] }));
        return () =>
            useKeys.setState(({ groups }) => ({ groups: groups.filter((one) => one !== group) }));
    }, [name, shape]);
}

/** Escape closes a part of the page, unless something on top of it is closed first. */
export function useEscape(name: string, label: string, close: () => void): void {
    const isOnTop = () => document.querySelector("[role=menu], [role=listbox]") === null;
    useShortcuts(name, [{ keys: "Escape", label, run: close, when: isOnTop }]);
}
