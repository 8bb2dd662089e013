import { create } from "zustand";
import { say } from "@/words";
import { commonWords } from "@/words/common";
import type { Refusal } from "@/words/problem";
import { loadRefusals, refusalText } from "@/words/refusal";
import { heard } from "./clock";
import { parseExact } from "./json";
import { baseUrl } from "./place";

export type Role = "viewer" | "operator" | "editor" | "approver" | "admin";

export interface Session {
    subject: string;
    /** What the key is called, or the person. */
    name?: string;
    person?: string | null;
    tenant: string | null;
    /** Where this person may go, and as what. */
    tenants: { name: string; role: string | null }[];
    role: Role | null;
    scopes: string[];
    csrf: string | null;
    expires_at: string | null;
}

interface SessionState {
    /** Undefined: not known yet. Null: not signed in. */
    session: Session | null | undefined;
    /** Why the form of signing in is shown, if not because one signed out. */
    why?: "ended" | "link" | undefined;
}

export const useSession = create<SessionState>(() => ({ session: undefined }));

/** What a write must carry besides the cookie. */
export function sessionHeaders(write: boolean): Record<string, string> {
    const csrf = useSession.getState().session?.csrf;
    return write && csrf ? { "X-Pawl-Csrf": csrf } : {};
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

async function send(method: string, body?: unknown): Promise<Response> {
    const asked = Date.now();
    const response = await fetch(`${baseUrl}/v1/session`, {
        method,
        headers: {
            ...sessionHeaders(method === "PUT" || method === "DELETE"),
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    heard(response, asked);
    return response;
}

const said = ({ status }: Response) => say(commonWords, "answered", { status });

/** Asks the server who is signed in. */
export async function loadSession(): Promise<Session | null> {
    const response = await send("GET");
    // Another answer than yes or no says nothing about the session.
    if (!response.ok && response.status !== 401 && response.status !== 403) {
        throw new Error(said(response));
    }
    const session = response.ok ? (parseExact(await response.text()) as Session) : null;
    useSession.setState({ session });
    return session;
}

async function change(method: string, body: unknown): Promise<void> {
    const response = await send(method, body);
    const answer = (await response.json().catch(() => ({}))) as Session & Refusal;
    if (!response.ok) {
        await loadRefusals();
        throw new Error(refusalText({ ...answer, status: response.status }));
    }
    useSession.setState({ session: answer, why: undefined });
}

/** Signs in with an API key, or with the ticket of a link. Fails with the words of the server. */
export async function signIn(proof: { key: string } | { ticket: string }): Promise<void> {
    await change("POST", proof);
}

export async function switchTenant(tenant: string): Promise<void> {
    await change("PUT", { tenant });
}

export async function signOut(): Promise<void> {
    await send("DELETE").catch(() => undefined);
    useSession.setState({ session: null, why: undefined });
}

/** The server no longer knows this session. */
export function sessionEnded(): void {
    if (useSession.getState().session) useSession.setState({ session: null, why: "ended" });
}
