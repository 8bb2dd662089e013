import { useSession } from "@/data/session";
import { inTenant } from "./command";

export const useTenant = () => useSession((state) => state.session?.tenant);

/** The command as it works for the tenant that is shown. */
export function useCommand(command: string): string {
    return inTenant(command, useTenant());
}
