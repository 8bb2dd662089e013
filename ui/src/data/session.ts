import { create } from "zustand";
import { parseExact } from "./json";
import { baseUrl } from "./place";

export type Role = "viewer" | "operator" | "editor" | "approver" | "admin";

export interface Session {
    subject: string;
    tenant: string | null;
    tenants: string[];
    role: Role;
    scopes: string[];
    csrf: string;
    expires_at: string | null;
}

interface SessionState {
    /** Undefined: not known yet. Null: not signed in. */
    session: Session | null | undefined;
    /** A key that is kept in memory because the server has no sessions. */
    key: string | undefined;
}

export const useSession = create<SessionState>(() => ({ session: undefined, key: undefined }));

/** The headers that authorise a request. */
export function sessionHeaders(write: boolean): Record<string, string> {
    const { session, key } = useSession.getState();
    const headers: Record<string, string> = {};
    if (key) headers["Authorization"] = `Bearer ${key}`;
    if (write && session?.csrf) headers["X-Pawl-Csrf"] = session.csrf;
    return headers;
}

/** Whether the person who is signed in may do what needs this scope. */
export function useMay(scope: string): boolean {
    return useSession(({ session }) => allows(session?.scopes ?? [], scope));
}

export function allows(scopes: readonly string[], wanted: string): boolean {
    if (scopes.includes("admin") || scopes.includes("*") || scopes.includes(wanted)) return true;
    // Who may write may also read.
    return wanted.endsWith(":read") && scopes.includes(wanted.replace(/:read$/, ":write"));
}

const memoryOnly = (key: string): SessionState => ({
    key,
    session: {
        subject: "API key",
        tenant: null,
        tenants: [],
        role: "admin",
        scopes: ["admin"],
        csrf: "",
        expires_at: null,
    },
});

/** Asks the server who is signed in. */
export async function loadSession(): Promise<Session | null> {
    if (useSession.getState().key) return useSession.getState().session ?? null;
    const response = await fetch(`${baseUrl}/v1/session`, {
        headers: { Accept: "application/json" },
    });
    // Another answer than yes or no says nothing about the session.
    if (!response.ok && ![401, 403, 404, 405].includes(response.status)) {
        throw new Error(`The server answered ${response.status}`);
    }
    const session = response.ok ? (parseExact(await response.text()) as Session) : null;
    useSession.setState({ session });
    return session;
}

/** Signs in with an API key. Fails with the words of the server. */
export async function signIn(key: string): Promise<void> {
    const response = await fetch(`${baseUrl}/v1/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ key }),
    });
    if (response.ok) {
        await loadSession();
        return;
    }
    if (response.status === 404 || response.status === 405) {
        // This server has no sessions: the key stays in the memory of this page.
        const tried = await fetch(`${baseUrl}/v1/runs?limit=1`, {
            headers: { Authorization: `Bearer ${key}` },
        });
        if (tried.ok) {
            useSession.setState(memoryOnly(key));
            return;
        }
    }
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(problem.detail ?? `The server answered ${response.status}`);
}

export async function signOut(): Promise<void> {
    await fetch(`${baseUrl}/v1/session`, { method: "DELETE", headers: sessionHeaders(true) }).catch(
        () => undefined,
    );
    useSession.setState({ session: null, key: undefined });
}

/** The server no longer knows this session. */
export function sessionEnded(): void {
    if (useSession.getState().session) useSession.setState({ session: null, key: undefined });
}
