import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, call } from "@/data/api";
import { useMay } from "@/data/session";
import { namesOfPerson, type Seen } from "./personNames";

const minutes = 60_000;

/** What templates of a step can say of the people of this tenant, as far as the viewer may know. */
export function usePersonNames(type?: string): string[] | undefined {
    const admin = useMay("admin");
    const reader = useMay("runs:read");
    const source = useQuery({
        queryKey: ["person-source"],
        enabled: admin,
        retry: false,
        staleTime: 5 * minutes,
        queryFn: ({ signal }) => call(api.GET("/v1/person-source", { signal })),
    });
    const people = useQuery({
        queryKey: ["people", "attributes"],
        enabled: reader,
        retry: false,
        staleTime: 5 * minutes,
        queryFn: async ({ signal }) => {
            const params = { query: { limit: 20 } };
            const page = await call(api.GET("/v1/people", { params, signal }));
            return page.data as unknown as Seen[];
        },
    });
    return useMemo(
        () => namesOfPerson(source.data, people.data ?? [], type),
        [source.data, people.data, type],
    );
}
