import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { request } from "@/data/api";
import { pathOf, type Workflow } from "../data";
import { inputSchemaOf } from "./inputSchema";

/** What a workflow takes: a version of it, or the one that is current. */
export function useInputSchema(name: string | null, version?: number, ofRun = false) {
    const query = useQuery({
        queryKey: ["workflows", name, ...(version === undefined ? [] : ["versions", version])],
        enabled: name !== null,
        // Who may not read workflows writes the input as JSON.
        retry: false,
        queryFn: () => {
            const path = pathOf(name ?? "");
            const of = version === undefined ? path : `${path}/versions/${version}`;
            return request<Workflow>("GET", of);
        },
    });
    const definition = query.data?.definition;
    const schema = useMemo(() => inputSchemaOf(definition, ofRun), [definition, ofRun]);
    return { schema, known: name === null || !query.isPending };
}
