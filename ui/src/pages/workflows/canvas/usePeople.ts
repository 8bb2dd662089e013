import { api, call, type Schemas } from "@/data/api";
import { usePages } from "@/data/queries";

export type Place = Schemas["PersonPlace"];

export interface PeopleFilter {
    at?: string | undefined;
    state?: string | undefined;
    version?: string | undefined;
    /** Of runs that have ended: when. */
    from?: string | undefined;
    to?: string | undefined;
}

const given = ({ at, state, version, from, to }: PeopleFilter) => ({
    ...(at ? { at } : {}),
    ...(state ? { state } : {}),
    ...(version ? { version } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
});

/** Who is at a node, or whose runs have ended. */
export function usePeople(name: string, filter: PeopleFilter) {
    return usePages<Place>({
        key: ["workflows", name, "people", filter],
        fetch: (cursor, signal) => {
            const query = { ...given(filter), limit: 100, ...(cursor ? { cursor } : {}) };
            return call(
                api.GET("/v1/workflows/{name}/people", {
                    params: { path: { name }, query },
                    signal,
                }),
            );
        },
    });
}

export function peopleCsv(name: string, filter: PeopleFilter): string {
    const query = new URLSearchParams({ ...given(filter), format: "csv" });
    return `/v1/workflows/${encodeURIComponent(name)}/people?${query}`;
}
