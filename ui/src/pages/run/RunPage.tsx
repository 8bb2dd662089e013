import { PlannedPage } from "@/components/PlannedPage";

export function RunPage() {
    return <PlannedPage name="run" />;
}
