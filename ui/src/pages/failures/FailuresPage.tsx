import { PlannedPage } from "@/components/PlannedPage";

export function FailuresPage() {
    return <PlannedPage name="failures" />;
}
