export {
    documentClient,
    supabaseDocumentClient,
    type DocumentClient,
    type FunctionsClient,
    type WaitForWorkflowOptions,
    type WorkflowResult,
    type WorkflowStatusResult,
} from "./document.js";
export { PawlError } from "./error.js";
export { Inbox } from "./inbox.js";
export { Limits, type LimitName } from "./limits.js";
export { List } from "./pages.js";
export { Pawl, type StreamedEvent, type StreamOptions } from "./pawl.js";
export { Tasks, type TaskOptions } from "./tasks.js";
export type { PawlOptions } from "./transport.js";
export * from "./types.js";
export type { WaitOptions } from "./wait.js";
export type { components, operations, paths } from "./openapi.gen.js";
