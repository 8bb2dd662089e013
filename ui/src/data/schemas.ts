import type { components } from "@pawl/client/openapi.gen";

/** What the API's document describes, by name. */
export type Schemas = components["schemas"];
