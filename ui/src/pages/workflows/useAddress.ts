import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type Address = ReturnType<typeof useAddressOf>;

function useAddressOf() {
    return useSearch({ from: "/shell/workflows/$name" });
}

/** What the address of a workflow's page says, and how to change a part of it. */
export function useAddress(): [
    Address,
    (next: { [key in keyof Address]?: string | undefined }) => void,
] {
    const address = useAddressOf();
    const navigate = useNavigate();
    const change = useCallback(
        (next: { [key in keyof Address]?: string | undefined }) => {
            const search = (old: Record<string, unknown>) => {
                const all = Object.entries({ ...old, ...next });
                return Object.fromEntries(all.filter(([, value]) => value !== undefined));
            };
            void navigate({ to: ".", search: search as never, replace: true });
        },
        [navigate],
    );
    return [address, change];
}
