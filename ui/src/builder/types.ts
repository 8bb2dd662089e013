import { useLingui } from "@lingui/react";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import { api, call } from "@/data/api";
import { configOf } from "./fields/defaults";
import type { GraphEdge, NewNode, Place } from "./graph";
import { handlesOf, type NodeType } from "./handles";
import { settingWordsIn } from "./settingWords";
import { stepTitle } from "./stepWords";

export type Types = Record<string, NodeType>;

/** The types of steps that the server knows, with their forms. */
export function useTypes(): Types | undefined {
    const { i18n } = useLingui();
    const query = useQuery({
        queryKey: ["node-types"],
        queryFn: async ({ signal }) => {
            const body = await call(api.GET("/v1/node-types", { signal }));
            const list = (body as unknown as { data: NodeType[] }).data;
            return Object.fromEntries(list.map((one) => [one.type, one])) as Types;
        },
        staleTime: Number.POSITIVE_INFINITY,
    });
    const { data } = query;
    return useMemo(() => {
        if (!data) return undefined;
        const say = settingWordsIn(i18n.locale).sentence;
        const named = Object.values(data).map((one) => ({
            ...one,
            title: stepTitle(one.type, one.title),
            description: say(one.description) ?? one.description,
        }));
        return Object.fromEntries(named.map((one) => [one.type, one]));
    }, [data, i18n.locale]);
}

export interface Where {
    after?: Place;
    into?: GraphEdge;
    at?: NewNode["at"];
}

/** Where a list of steps hangs, in the window. */
export interface Anchor {
    x: number;
    y: number;
}

/** What a step or an edge of the canvas can ask for. It stays the same object. */
export interface Tools {
    types: Types;
    add: (type: string, where: Where) => void;
    // Where the graph can only be looked at, there are none of these.
    /** Asks which step to add. */
    offer?: (where: Where, anchor: Anchor) => void;
    connectable?: (place: Place, to: string) => boolean;
    writeNote?: (id: string, text: string) => void;
}

export const ToolsContext = createContext<Tools | null>(null);

export function useTools(): Tools {
    const tools = useContext(ToolsContext);
    if (!tools) throw new Error("there is no canvas around this");
    return tools;
}

/** The order in which steps are offered: what most people need first. */
const first = [
    "message",
    "wait",
    "condition",
    "split",
    "action",
    "human",
    "http",
    "api_call",
    "agent",
    "goal",
    "code",
    "function",
    "sql",
    "transform",
    "switch",
    "parallel",
    "join",
    "foreach",
    "loop",
    "call",
    "emit",
];

const rank = (type: string) => {
    const at = first.indexOf(type);
    return at < 0 ? first.length : at;
};

/** A step of this type leads nowhere, such as an end. */
export const isLast = (type: NodeType) =>
    handlesOf({ id: "", type: type.type, config: configOf(type) }, type).length === 0;

/**
 * Steps that may be added; at an edge or behind a step no second beginning, and between two steps
 * none that would cut off what follows.
 */
export function offered(types: Types, inside: boolean, between = false): NodeType[] {
    return Object.values(types)
        .filter((type) => !(inside && type.type === "trigger") && !(between && isLast(type)))
        .sort((a, b) => rank(a.type) - rank(b.type) || a.type.localeCompare(b.type));
}
