import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";

/** Whether the screen has no room for what stands in columns from `md` on. */
export const useIsNarrow = () =>
    !useMediaQuery("(min-width: 900px)", true, { getInitialValueInEffect: false });

/** The columns for which the screen is wide enough. */
export function useFitting<C extends { from?: "sm" | "md" | "lg" }>(columns: C[]): C[] {
    const sm = useMediaQuery("(min-width: 600px)", true, { getInitialValueInEffect: false });
    const md = useMediaQuery("(min-width: 900px)", true, { getInitialValueInEffect: false });
    const lg = useMediaQuery("(min-width: 1200px)", true, { getInitialValueInEffect: false });
    return useMemo(() => {
        const fits = { sm, md, lg };
        return columns.filter((column) => !column.from || fits[column.from]);
    }, [columns, sm, md, lg]);
}
