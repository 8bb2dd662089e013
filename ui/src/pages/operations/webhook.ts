import type { Schemas } from "@/data/api";

export type Webhook = Schemas["Webhook"];

/** Where its messages go. */
export const addressOf = (one: Webhook) => one.url ?? one.channel ?? one.queue ?? "";
