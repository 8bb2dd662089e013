import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Checked, CheckStep, Head } from "./check";
import { guessPlaces, type Place } from "./columns";
import { type ImportProgress, importPeople, type Outcome, type Question } from "./importPeople";
import { FileProblem } from "./problem";
import { readInWorker } from "./reader";

/** A file that is looked at before anything is sent. */
export interface Looked {
    file: File;
    head?: Head;
    places: Place[];
    /** In bytes. */
    read: number;
    checked?: Checked;
}

export interface Sending extends ImportProgress {
    began: number;
    total: number;
    question?: Question | undefined;
}

export interface ImportState {
    looked?: Looked | undefined;
    /** Why the file cannot be read. */
    problem?: FileProblem | undefined;
    sending?: Sending | undefined;
    outcome?: Outcome;
}

export interface ImportActions {
    choose: (file: File, encoding?: string) => Promise<void>;
    setPlace: (index: number, place: Place) => void;
    send: () => Promise<void>;
    answer: (goOn: boolean) => void;
    stop: () => void;
    /** Another file. */
    reset: () => void;
}

/** From a file to people: what is known of it, how far it is, and what became of it. */
export function useImport(): ImportState & ImportActions {
    const client = useQueryClient();
    const [state, setState] = useState<ImportState>({});
    const stopper = useRef<AbortController>(undefined);
    const answer = useRef<(goOn: boolean) => void>(undefined);
    useEffect(() => () => stopper.current?.abort(), []);

    const begin = () => {
        stopper.current?.abort();
        stopper.current = new AbortController();
        return stopper.current.signal;
    };
    const fail = (error: unknown) =>
        setState({
            problem: error instanceof FileProblem ? error : new FileProblem("unreadable"),
        });
    const choose = async (file: File, encoding?: string) => {
        const signal = begin();
        setState({ looked: { file, places: [], read: 0 } });
        try {
            for await (const step of readInWorker<CheckStep>({ file, encoding }, signal)) {
                if (signal.aborted) return;
                const guessed = step.head && { places: guessPlaces(step.head.columns) };
                setState(({ looked, ...rest }) => ({
                    ...rest,
                    looked: looked && { ...looked, ...step, ...guessed },
                }));
            }
        } catch (error) {
            fail(error);
        }
    };
    const setPlace = (index: number, place: Place) =>
        setState(({ looked, ...rest }) => ({
            ...rest,
            looked: looked && { ...looked, places: looked.places.with(index, place) },
        }));
    const ask = (question: Question) =>
        new Promise<boolean>((resolve) => {
            answer.current = (goOn) => {
                answer.current = undefined;
                setSending({ question: undefined });
                resolve(goOn);
            };
            setSending({ question });
        });
    const setSending = (change: Partial<Sending>) =>
        setState(({ sending, ...rest }) => ({
            ...rest,
            sending: sending && { ...sending, ...change },
        }));
    const send = async () => {
        const { looked } = state;
        if (!looked?.head || !looked.checked) return;
        const signal = begin();
        const { file, head, places, checked } = looked;
        const began = performance.now();
        const none: ImportProgress = { rows: 0, people: 0, leftOut: 0 };
        setState({ looked, sending: { ...none, began, total: checked.rows } });
        try {
            const { format, columns } = head;
            const outcome = await importPeople({
                file,
                mapping: { format, columns, places },
                signal,
                ask,
                onProgress: (now) => setSending({ ...now, waiting: now.waiting ?? 0 }),
            });
            setState({ looked, outcome });
        } catch (error) {
            fail(error);
        }
        await client.invalidateQueries({ queryKey: ["people"] });
    };
    return {
        ...state,
        choose,
        setPlace,
        send,
        answer: (goOn) => answer.current?.(goOn),
        stop: () => {
            stopper.current?.abort();
            answer.current?.(false);
        },
        reset: () => {
            begin();
            setState({});
        },
    };
}
