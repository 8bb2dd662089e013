import { notifications } from "@mantine/notifications";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { changeMany, type Many } from "./many";

interface Options {
    atOnce?: number;
    /** What is said when it is over. */
    said: (done: number) => string;
    /** Lists and details that it changes. */
    changes: QueryKey[];
    onDone: () => void;
}

export interface ManyState {
    /** How far it is; undefined: nothing is under way. */
    going: { done: number; total: number } | undefined;
    refused: Many["refused"];
    start: (ids: readonly string[], change: (id: string) => Promise<unknown>) => Promise<void>;
    stop: () => void;
    forget: () => void;
}

/** Changes what is selected, says how far it is, and what could not be changed. */
export function useMany({ atOnce = 1, said, changes, onDone }: Options): ManyState {
    const client = useQueryClient();
    const [going, setGoing] = useState<ManyState["going"]>();
    const [refused, setRefused] = useState<Many["refused"]>([]);
    const stopper = useRef<AbortController | undefined>(undefined);
    // What was asked for is done: only a person stops it, not the way to another page.
    const here = useRef(true);
    useEffect(() => {
        here.current = true;
        return () => {
            here.current = false;
        };
    }, []);
    const start: ManyState["start"] = async (ids, change) => {
        stopper.current = new AbortController();
        setRefused([]);
        setGoing({ done: 0, total: ids.length });
        const many = await changeMany(ids, change, {
            atOnce,
            signal: stopper.current.signal,
            onStep: (now) => {
                const done = now.done + now.refused.length;
                if (here.current) setGoing({ done, total: ids.length });
            },
        });
        if (many.done > 0) notifications.show({ message: said(many.done), color: "teal" });
        await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
        if (!here.current) return;
        setGoing(undefined);
        setRefused(many.refused);
        onDone();
    };
    return {
        going,
        refused,
        start,
        stop: () => stopper.current?.abort(),
        forget: () => setRefused([]),
    };
}
