import type { JsonSchema } from "../handles";
import { type Action, paramsOf } from "./action";
import { type Row, withPart } from "./RowsField";

export const toolKinds = ["action", "http", "sql"] as const;
export type ToolKind = (typeof toolKinds)[number];

/** What a tool is: the server wants exactly one of these. */
export const kindOfTool = (tool: Row): ToolKind =>
    toolKinds.find((kind) => tool[kind] !== undefined) ?? "action";

/** Another kind of tool: what it is called and what it is for stay. */
export function withKind(tool: Row, kind: ToolKind): Row {
    const none = Object.fromEntries(toolKinds.map((one) => [one, undefined]));
    const fresh = { action: "", http: { url: "" }, sql: { statement: "" } }[kind];
    return withPart(tool, { ...none, [kind]: tool[kind] ?? fresh });
}

/** What the model must give: the params of the action, as they were registered. */
export function parametersOf(action: Action): JsonSchema | undefined {
    const params = paramsOf(action);
    if (params.length === 0) return undefined;
    return {
        type: "object",
        required: params.map(([name]) => name),
        properties: Object.fromEntries(params),
    };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The tool with another action; its arguments follow, unless someone has written them. */
export function withAction(tool: Row, name: string, actions: Action[]): Row {
    const find = (wanted: unknown) => actions.find((one) => one.name === wanted);
    const [old, next] = [find(tool.action), find(name)];
    const written = tool.parameters;
    const own = written !== undefined && !(old && same(written, parametersOf(old)));
    return withPart(tool, {
        action: name,
        ...(own || !next ? {} : { parameters: parametersOf(next) }),
        // The server names a tool like its action.
        ...(tool.name === tool.action ? { name: undefined } : {}),
    });
}
