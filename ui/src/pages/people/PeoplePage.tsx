import { PlannedPage } from "@/components/PlannedPage";

export function PeoplePage() {
    return <PlannedPage name="people" />;
}
