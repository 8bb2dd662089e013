import { useSession } from "@/data/session";
import { inTenant } from "./command";

/** The command as it works for the tenant that is shown. */
export function useCommand(command: string): string {
    const tenant = useSession((state) => state.session?.tenant);
    return inTenant(command, tenant);
}
