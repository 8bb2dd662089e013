import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { queryClient } from "@/data/queries";

/** What has a name already. */
export type Taken = "workflow" | "draft";

const pathOf = (name: string) => `/v1/workflows/${encodeURIComponent(name)}`;
const key = "name-taken";

async function isThere(path: string): Promise<boolean> {
    try {
        await request("GET", path);
        return true;
    } catch (error) {
        if (error instanceof ApiError && error.status === 404) return false;
        throw error;
    }
}

export const isPublished = (name: string) => isThere(pathOf(name));

/** Looks at once, instead of when it is next due. */
export const lookAgain = () => void queryClient.invalidateQueries({ queryKey: [key] });

/** Whether a new name belongs to something else: another workflow, or a draft that is not `own`. */
export function useTaken(name: string, isNew: boolean, own: string | undefined) {
    const [settled] = useDebouncedValue(name, 300);
    const wanted = isNew && name !== "";
    const query = useQuery({
        queryKey: [key, settled],
        enabled: isNew && settled !== "",
        gcTime: 0,
        retry: false,
        refetchInterval: ({ state }) => (state.data ? 5000 : false),
        queryFn: async (): Promise<Taken | null> => {
            if (await isThere(pathOf(settled))) return "workflow";
            return (await isThere(`${pathOf(settled)}/draft`)) ? "draft" : null;
        },
    });
    const found = wanted && settled === name ? query.data : undefined;
    const taken = found === "draft" && own === name ? undefined : (found ?? undefined);
    return { taken, asking: wanted && (settled !== name || query.isLoading) };
}
