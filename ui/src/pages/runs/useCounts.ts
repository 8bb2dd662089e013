import type { Filter } from "./filter";

/** How many runs have each status. The API does not count yet. */
export function useCounts(_filter: Filter): Record<string, string> | undefined {
    return undefined;
}
