import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call } from "@/data/api";
import type { Definition } from "./graph";
import { type Problem, readProblems, type Verdict } from "./problems";

/** What the server says is wrong with the definition, while it is being written. */
export function useProblems(definition: Definition): { problems: Problem[]; checking: boolean } {
    const [settled] = useDebouncedValue(definition, 300);
    const query = useQuery({
        queryKey: ["validate", settled],
        queryFn: async ({ signal }) => {
            const body = settled as never;
            return (await call(api.POST("/v1/workflows/validate", { body, signal }))) as Verdict;
        },
        placeholderData: (before) => before,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 10_000,
    });
    const { data } = query;
    // The same list as long as nothing else is said: the whole canvas hangs on it.
    const problems = useMemo(() => (data ? readProblems(settled, data) : []), [settled, data]);
    return { problems, checking: query.isFetching || settled !== definition };
}
