import { PlannedPage } from "@/components/PlannedPage";

export function InboxPage() {
    return <PlannedPage name="inbox" />;
}
