import type { ReactNode } from "react";

/** What a page with tabs gives to the one that is shown. */
export interface TabProps {
    title: string;
    /** The tabs, for the bar of the page. */
    tabs: ReactNode;
    /** What of the list is shown beside it; in the address. */
    item: string | undefined;
    show: (item: string | undefined) => void;
}
