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

function pressed(event: KeyboardEvent): string {
    const mod = event.ctrlKey || event.metaKey ? "mod+" : "";
    // Letters and signs tell Shift by themselves.
    const shift = event.shiftKey && event.key.length > 1 ? "shift+" : "";
    return mod + (event.altKey ? "alt+" : "") + shift + event.key;
}

/** What these keys mean now. What is on top was registered last. */
function meant(event: KeyboardEvent, keys: string): Shortcut | undefined {
    const typing = isTyping(event.target);
    const covered = isCovered();
    return useKeys
        .getState()
        .groups.toReversed()
        .flatMap((group) => group.shortcuts)
        .find(
            (one) =>
                one.keys === keys &&
                (!typing || one.typing) &&
                (!covered || one.covered) &&
                (!one.when || one.when(event)),
        );
}

function hear(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat) return;
    const key = pressed(event);
    const follows = before !== "" && event.timeStamp - beforeAt < 1200;
    // The second key of `g r` is not the key `r`.
    const shortcut = (follows && meant(event, `${before} ${key}`)) || meant(event, key);
    before = shortcut || isTyping(event.target) ? "" : key;
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
