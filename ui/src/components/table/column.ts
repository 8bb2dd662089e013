import type { ReactNode } from "react";

export interface Column<T> {
    id: string;
    title: string;
    /** A track of a CSS grid: `120px`, `minmax(160px, 2fr)`. */
    width: string;
    cell: (row: T) => ReactNode;
    align?: "right";
    /** Left out on screens narrower than this. */
    from?: "sm" | "md" | "lg";
}
