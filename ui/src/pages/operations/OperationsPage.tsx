import { PlannedPage } from "@/components/PlannedPage";

export function OperationsPage() {
    return <PlannedPage name="operations" />;
}
