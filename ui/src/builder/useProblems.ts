import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call } from "@/data/api";
import { useWords } from "@/words";
import type { Definition } from "./graph";
import type { Taken } from "./guard/useTaken";
import { guardWords } from "./guard/words";
import { type Problem, readProblems, type Verdict } from "./problems";
import { useUnread } from "./store";

/** The code of what is wrong with a text that cannot be read. */
export const unreadable = "ui_unreadable";

/** What the server cannot know: a text that is not read, a name that belongs to something else. */
function useOwnProblems(taken: Taken | undefined): Problem[] {
    const t = useWords(guardWords);
    const why = useUnread()?.why ?? "";
    return useMemo(() => {
        const problem = (code: string, text: string): Problem => ({ code, text, values: {} });
        return [
            ...(why === "" ? [] : [problem(unreadable, t("unreadable", { why }))]),
            ...(taken === "workflow" ? [problem("ui_taken", t("takenWorkflow"))] : []),
            ...(taken === "draft" ? [problem("ui_taken", t("takenDraft"))] : []),
        ];
    }, [t, why, taken]);
}

/** What the server says is wrong with the definition, while it is being written. */
export function useProblems(
    definition: Definition,
    name: { taken: Taken | undefined; asking: boolean },
): { problems: Problem[]; checking: boolean } {
    const own = useOwnProblems(name.taken);
    const isRead = useUnread()?.why !== "";
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
    const found = useMemo(() => (data ? readProblems(settled, data) : []), [settled, data]);
    const problems = useMemo(() => (own.length > 0 ? [...own, ...found] : found), [own, found]);
    const checking = query.isFetching || settled !== definition || name.asking || !isRead;
    return { problems, checking };
}
