import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { request } from "@/data/api";
import { useLive } from "@/data/live";
import type { Message } from "./data";

/**
 * Reads the newest messages again: what became of messages that are shown changes in place, and
 * messages that are not shown yet are counted until `show` is called.
 */
export function useNewest(query: string, rows: Message[] | undefined, show: () => void) {
    const paused = useLive((state) => state.paused);
    const { data } = useQuery({
        queryKey: ["messages", "newest", query],
        enabled: rows !== undefined,
        refetchInterval: paused ? false : 5_000,
        queryFn: () => request<{ data: Message[] }>("GET", `/v1/messages?${query}`),
    });
    const shown = new Set(rows?.map((one) => one.id));
    const newest = new Map(data?.data.map((one) => [one.id, one]));
    const fresh = rows ? [...newest.keys()].filter((id) => !shown.has(id)).length : 0;
    const first = rows?.length === 0 && fresh > 0;
    // biome-ignore lint/correctness/useExhaustiveDependencies: an empty list fills by itself
    useEffect(() => {
        if (first) show();
    }, [first]);
    return { fresh, rows: (rows ?? []).map((one) => newest.get(one.id) ?? one) };
}
