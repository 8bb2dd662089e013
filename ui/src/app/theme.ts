import {
    type CSSVariablesResolver,
    createTheme,
    type MantineColorsTuple,
    type MantineThemeOverride,
    mergeThemeOverrides,
} from "@mantine/core";
import { hintDelay } from "@/components/Hint";

const ink: MantineColorsTuple = [
    "#f8f9fb",
    "#f1f3f6",
    "#e6e9ee",
    "#d7dbe2",
    "#bcc2cc",
    "#8d95a3",
    "#646c7a",
    "#4a5160",
    "#2f3542",
    "#1b1f29",
];

const night: MantineColorsTuple = [
    "#e3e6ec",
    "#b9bfca",
    "#9aa1ae",
    "#6d7482",
    "#3a404c",
    "#2b303a",
    "#22262f",
    "#191c23",
    "#14161c",
    "#0f1115",
];

const pawl: MantineColorsTuple = [
    "#eef2ff",
    "#dde4ff",
    "#b9c6fd",
    "#93a6fb",
    "#738af8",
    "#5d77f4",
    "#4a63e7",
    "#3b52cc",
    "#3145ab",
    "#283989",
];

const red: MantineColorsTuple = [
    "#fff0f0",
    "#fddfdf",
    "#f8bdbe",
    "#f2999b",
    "#ec777a",
    "#e5484d",
    "#cf3439",
    "#b9272c",
    "#9b2024",
    "#7d1a1e",
];

export const theme = createTheme({
    // Who asks for less motion gets none.
    respectReducedMotion: true,
    primaryColor: "pawl",
    primaryShade: { light: 7, dark: 6 },
    colors: { pawl, red, gray: ink, dark: night },
    fontFamily: '"Inter Variable", "Noto Sans Thai Variable", system-ui, sans-serif',
    fontFamilyMonospace:
        '"JetBrains Mono Variable", ui-monospace, monospace, "Noto Sans Thai Variable"',
    fontSizes: { xs: "11.5px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
    spacing: { xs: "6px", sm: "10px", md: "14px", lg: "20px", xl: "28px" },
    headings: {
        fontWeight: "600",
        sizes: {
            h1: { fontSize: "19px", lineHeight: "1.3" },
            h2: { fontSize: "15px", lineHeight: "1.35" },
            h3: { fontSize: "13px", lineHeight: "1.4" },
            h4: { fontSize: "13px", lineHeight: "1.4" },
        },
    },
    defaultRadius: "6px",
    cursorType: "pointer",
    autoContrast: true,
    components: {
        Button: { defaultProps: { size: "xs" } },
        ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: "md" } },
        InputWrapper: { defaultProps: { size: "xs" } },
        TextInput: { defaultProps: { size: "xs" } },
        Autocomplete: { defaultProps: { size: "xs" } },
        TagsInput: { defaultProps: { size: "xs" } },
        PasswordInput: { defaultProps: { size: "xs" } },
        Textarea: { defaultProps: { size: "xs" } },
        NumberInput: { defaultProps: { size: "xs" } },
        Select: { defaultProps: { size: "xs" } },
        MultiSelect: { defaultProps: { size: "xs" } },
        Checkbox: { defaultProps: { size: "xs" } },
        Switch: { defaultProps: { size: "xs" } },
        SegmentedControl: { defaultProps: { size: "xs" } },
        Badge: { defaultProps: { variant: "light", size: "sm", tt: "none", fw: 500 } },
        Tooltip: { defaultProps: { openDelay: hintDelay, withArrow: true, fz: "xs" } },
        Modal: { defaultProps: { centered: true, radius: "10px" } },
        Menu: { defaultProps: { shadow: "md", radius: "8px" } },
        Text: { defaultProps: { size: "sm" } },
        Table: { defaultProps: { fz: "sm", verticalSpacing: "xs" } },
    },
});

/** Mantine's own hues are too pale for words on white and on a ground of their hue. */
const inks = {
    blue: "#134a7e",
    teal: "#065c43",
    green: "#1c5f2b",
    yellow: "#754200",
    orange: "#8a2d06",
};

/** What white words stand on, as on a button. */
const fills = {
    blue: ["#1864ab", "#145591"],
    teal: ["#087f5b", "#066b4c"],
};

/** Grounds of the dark that are calm enough for quiet words. */
const grounds = {
    green: ["#123018", "#1a4223"],
    yellow: ["#33270a", "#45350e"],
    orange: ["#3a1e0c", "#4c2810"],
};

const named = (name: string, part: string) => `--mantine-color-${name}-${part}`;
const lightInks = Object.fromEntries(
    Object.entries(inks).flatMap(([name, ink]) =>
        ["light-color", "outline", "text"].map((part) => [named(name, part), ink]),
    ),
);
const pairsOf = (pairs: Record<string, string[]>, part: string) =>
    Object.fromEntries(
        Object.entries(pairs).flatMap(([name, [ground = "", hover = ""]]) => [
            [named(name, part), ground],
            [named(name, `${part}-hover`), hover],
        ]),
    );

/** Colours that the style sheets use, so that light and dark are said in one place. */
export const variables: CSSVariablesResolver = () => ({
    variables: {},
    light: {
        ...pairsOf(fills, "filled"),
        ...lightInks,
        "--mantine-color-body": "#ffffff",
        "--mantine-color-dimmed": "#5b6372",
        "--mantine-color-default-border": "#d9dde4",
        "--pawl-bar": "#f7f8fa",
        "--pawl-line": "#e6e9ee",
        "--pawl-hover": "#f3f5f8",
        "--pawl-raised": "#ffffff",
        "--pawl-sunken": "#f7f8fa",
        "--pawl-selected": "#eef2ff",
    },
    dark: {
        ...pairsOf(fills, "filled"),
        ...pairsOf(grounds, "light"),
        "--mantine-color-body": "#121419",
        "--mantine-color-dimmed": "#9aa1ae",
        "--mantine-color-default": "#1a1d24",
        "--mantine-color-default-border": "#30353f",
        "--pawl-bar": "#0e1014",
        "--pawl-line": "#262a33",
        "--pawl-hover": "#1a1d24",
        "--pawl-raised": "#171a20",
        "--pawl-sunken": "#0e1014",
        "--pawl-selected": "#1d2340",
    },
});

/** What Mantine's own buttons are called. */
export function withWords(close: string): MantineThemeOverride {
    const props = { closeButtonProps: { "aria-label": close } };
    return mergeThemeOverrides(theme, {
        components: {
            Modal: { defaultProps: { ...theme.components?.["Modal"]?.defaultProps, ...props } },
            Drawer: { defaultProps: props },
            Notification: { defaultProps: props },
            Alert: { defaultProps: { closeButtonLabel: close } },
        },
    });
}
