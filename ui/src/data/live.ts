import { MessageReader } from "@pawl/client/sse";
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { heard, now } from "./clock";
import { parseExact } from "./json";
import { baseUrl } from "./place";
import { sessionEnded, sessionHeaders } from "./session";

export interface LiveEvent {
    seq: number;
    type: string;
    at: string;
    run_id: string;
    workflow: string;
    step?: string;
}

interface LiveState {
    /** off: there is no session; lost: the server is gone, since `lostAt`. */
    state: "off" | "opening" | "open" | "lost";
    lostAt: number | undefined;
    paused: boolean;
    pause: (paused: boolean) => void;
}

export const useLive = create<LiveState>((set) => ({
    state: "off",
    lostAt: undefined,
    paused: false,
    pause: (paused) => set({ paused }),
}));

type Listener = (events: LiveEvent[]) => void;
const listeners = new Set<Listener>();

// Events arrive in bursts: a page draws a few times a second at most.
const gathering = 250;
let gathered: LiveEvent[] = [];
let waiting = false;

function gather(event: LiveEvent): void {
    gathered.push(event);
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
        const batch = gathered;
        gathered = [];
        waiting = false;
        for (const listener of listeners) listener(batch);
    }, gathering);
}

function lost(): void {
    const { state } = useLive.getState();
    if (state !== "lost") useLive.setState({ state: "lost", lostAt: now() });
}

async function read(last: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    const asked = Date.now();
    const response = await fetch(`${baseUrl}/v1/stream`, {
        headers: {
            ...sessionHeaders(false),
            Accept: "text/event-stream",
            ...(last ? { "Last-Event-ID": last } : {}),
        },
        signal,
    });
    heard(response, asked);
    if (response.status === 401) sessionEnded();
    if (!response.ok || !response.body) throw new Error(`stream: ${response.status}`);
    useLive.setState({ state: "open", lostAt: undefined });
    const source = response.body.getReader();
    const decoder = new TextDecoder();
    const reader = new MessageReader();
    for (;;) {
        const { done, value } = await source.read();
        if (done) return last;
        for (const message of reader.push(decoder.decode(value, { stream: true }))) {
            if (message.id) last = message.id;
            if (message.event === "refused") sessionEnded();
            else gather(parseExact(message.data) as LiveEvent);
        }
    }
}

let current: AbortController | undefined;

/** Connects anew, because something else found the server gone. */
export function doubtLive(): void {
    if (useLive.getState().state === "open") current?.abort();
}

/** Keeps the one stream of this page open until it is stopped. Returns what stops it. */
export function startLive(): () => void {
    const stop = new AbortController();
    useLive.setState({ state: "opening", lostAt: undefined });
    void (async () => {
        let last: string | undefined;
        let delay = 500;
        while (!stop.signal.aborted) {
            try {
                current = new AbortController();
                last = await read(last, AbortSignal.any([stop.signal, current.signal]));
                delay = 500;
            } catch {
                if (stop.signal.aborted) break;
                lost();
            }
            await new Promise((resolve) => setTimeout(resolve, delay + Math.random() * 250));
            delay = Math.min(delay * 2, 10_000);
        }
        useLive.setState({ state: "off", lostAt: undefined });
    })();
    return () => stop.abort();
}

/** Calls `listener` with what happens to runs, a few times a second at most. */
export function useLiveEvents(listener: Listener): void {
    const latest = useRef(listener);
    latest.current = listener;
    useEffect(() => {
        const call: Listener = (events) => latest.current(events);
        listeners.add(call);
        return () => {
            listeners.delete(call);
        };
    }, []);
}
