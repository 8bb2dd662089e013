/** How many blocks of a page are marked as not run. A number may shrink, never grow. */
export const notRun: Record<string, number> = {
    "README.md": 1,
    "docs/benchmarks.md": 1,
    "docs/cpp.md": 1,
    "docs/deploy.md": 1,
    "docs/events.md": 1,
    "docs/messages.md": 2,
    "docs/metrics.md": 1,
    "docs/runbook.md": 1,
    "docs/tenants.md": 1,
    "docs/ui.md": 3,
    "docs/webhooks.md": 1,
};
