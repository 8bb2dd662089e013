export const roles = ["viewer", "operator", "editor", "approver", "admin"] as const;
export type RoleName = (typeof roles)[number];

export const scopes = [
    "workflows:read",
    "workflows:write",
    "runs:read",
    "runs:write",
    "events:read",
    "events:write",
    "tasks:read",
    "tasks:write",
    "metrics:read",
    "admin",
] as const;
