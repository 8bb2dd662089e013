import { PlannedPage } from "@/components/PlannedPage";

export function RunsPage() {
    return <PlannedPage name="runs" />;
}
