import { PlannedPage } from "@/components/PlannedPage";

export function MessagesPage() {
    return <PlannedPage name="messages" />;
}
