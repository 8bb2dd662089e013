import { PlannedPage } from "@/components/PlannedPage";

export function HomePage() {
    return <PlannedPage name="home" />;
}
