/** A control that the page shows: a button, a tab, a switch, a filter. */
export interface Control {
    label: string;
    /** What it is a part of, such as the states of a list. */
    part: string;
    run: () => void;
}

const most = 60;
const controls = [
    "button",
    "a[role=button]",
    "a[aria-current]",
    "nav[aria-label] a",
    "[role=tab]",
    "input[type=radio]",
    "[role=switch]",
    // Filters of a list; fields of forms belong to their forms.
    "[data-page-part] input:not([type=radio], [type=checkbox], [role=switch])",
].join(", ");
// Lists and graphs have keys of their own, and a button for each of many things.
const elsewhere =
    "[role=grid], [role=listbox], [role=menu], [data-canvas], [data-form], [data-own-keys]";

const isField = (one: Element): one is HTMLInputElement =>
    one instanceof HTMLInputElement && !/^(radio|checkbox)$/.test(one.type);

/** The texts of its parts, such as of a state and how many have it. */
function wordsIn(one: HTMLElement): string {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? "");
    return texts.join(" ");
}

function labelOf(one: HTMLElement): string {
    const said = one.getAttribute("aria-label");
    const ids = one.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const named = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    const labels = one instanceof HTMLInputElement ? [...(one.labels ?? [])] : [];
    const text = said || named || labels.map((label) => label.textContent).join(" ");
    return (text || wordsIn(one) || one.title).replace(/\s+/g, " ").trim();
}

function isOffered(one: HTMLElement): boolean {
    if (one.matches(":disabled, [aria-disabled=true], [data-disabled]")) return false;
    if (one.closest(elsewhere)) return false;
    // Radios and switches are drawn by what stands beside them.
    const drawn = isField(one) || !(one instanceof HTMLInputElement) ? one : one.parentElement;
    return drawn?.checkVisibility({ visibilityProperty: true }) ?? false;
}

const isChosen = (one: HTMLElement) =>
    one.matches(":checked:not([role=switch]), [aria-selected=true], [aria-current]");

function partOf(one: HTMLElement, label: string): string {
    const around = one.closest("[role=group], [role=radiogroup], [role=tablist], nav");
    const part = around ? labelOf(around as HTMLElement) : "";
    return around?.hasAttribute("aria-label") && part !== label ? part : "";
}

/** What is on top: a dialog other than the search itself, or the page. */
function onTop(): Element | null {
    const dialogs = [...document.querySelectorAll("[role=dialog][aria-modal=true]")];
    const top = dialogs.filter((one) => one.closest(".pawl-search") === null).at(-1);
    return top ?? document.querySelector("#content");
}

/**
 * What the page offers now. It reads the controls that are there: what a role may not do is not
 * shown as a button, and so it is not offered here either.
 */
export function findControls(): Control[] {
    const found = [...(onTop()?.querySelectorAll<HTMLElement>(controls) ?? [])]
        .filter((one) => isOffered(one) && !isChosen(one))
        .map((element) => {
            const label = labelOf(element);
            return { element, label, part: partOf(element, label) };
        })
        .filter((one) => one.label !== "" && one.label.length <= 100);
    const alike = new Map<string, typeof found>();
    for (const one of found) {
        const key = `${one.part}\n${one.label}`;
        alike.set(key, [...(alike.get(key) ?? []), one]);
    }
    return [...alike.values()]
        .flatMap((ones) => {
            const head = ones.filter((one) => one.element.closest("[data-page-part]"));
            // One of many that are called the same would be any of them.
            return head.length === 1 ? head : ones.length === 1 ? ones : [];
        })
        .slice(0, most)
        .map(({ element, label, part }) => ({ label, part, run: () => use(element, label) }));
}

/** The page may have drawn it anew meanwhile. */
function use(element: HTMLElement, label: string): void {
    const all = document.querySelectorAll<HTMLElement>(controls);
    const now = element.isConnected ? element : [...all].find((one) => labelOf(one) === label);
    now?.focus();
    if (now && !isField(now)) now.click();
}
