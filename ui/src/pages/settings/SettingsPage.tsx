import { PlannedPage } from "@/components/PlannedPage";

export function SettingsPage() {
    return <PlannedPage name="settings" />;
}
