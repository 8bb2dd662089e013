import { PlannedPage } from "@/components/PlannedPage";

export function WorkflowsPage() {
    return <PlannedPage name="workflows" />;
}
