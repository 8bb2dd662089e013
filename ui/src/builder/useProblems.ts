import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call } from "@/data/api";
import type { Definition } from "./graph";

export interface Problem {
    /** The node that it is about; none: the workflow as a whole. */
    node?: string;
    text: string;
}

interface Verdict {
    valid: boolean;
    errors: { detail: string; path?: string; pointer?: string; line?: number }[];
}

/** Which node a place of the document is: `nodes[2].config` or `/nodes/2/config`. */
function nodeAt(definition: Definition, place: string): string | undefined {
    const found = /\bnodes(?:\[|\/)(\d+)/.exec(place);
    if (found) return definition.nodes[Number(found[1])]?.id;
    const edge = /\bedges(?:\[|\/)(\d+)/.exec(place);
    if (edge) return definition.edges[Number(edge[1])]?.from;
    const named = /\b(?:node|step) '?([A-Za-z_][\w-]*)'?/.exec(place)?.[1];
    return definition.nodes.some((node) => node.id === named) ? named : undefined;
}

export function readProblems(definition: Definition, verdict: Verdict): Problem[] {
    return verdict.errors.map((one) => {
        const text = one.detail.replace(/^line \d+, /, "");
        const node =
            nodeAt(definition, one.path ?? one.pointer ?? text) ?? nodeAt(definition, text);
        return node === undefined ? { text } : { node, text };
    });
}

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
