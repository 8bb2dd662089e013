import { api, call, type Schemas } from "@/data/api";

export type Connector = Schemas["Connector"];
export type Account = Schemas["Account"];

/** How an account of each connector is read; shared with the panel. */
export const accountsOf = (connector: string) => ({
    queryKey: ["accounts", connector],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(
            api.GET("/v1/connectors/{connector}/accounts", {
                params: { path: { connector } },
                signal,
            }),
        ),
});
