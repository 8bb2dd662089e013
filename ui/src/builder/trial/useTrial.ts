import { useCallback, useMemo, useState } from "react";
import { api, call, type Schemas } from "@/data/api";
import { today } from "@/data/clock";
import { formatJson, parseExact } from "@/data/json";
import { showError } from "@/data/queries";
import { isObject } from "@/pages/inbox/members";
import { inputSchemaOf } from "@/pages/workflows/input/inputSchema";
import { defaultsOf } from "@/pages/workflows/input/schema";
import { type Draft, edgeId } from "../graph";
import type { Marks, StepMark } from "../marks";

export type Rehearsal = Schemas["Rehearsal"];
export type RehearsedStep = Schemas["RehearsedStep"];

/** Who the test run is about and what starts it. */
export interface Sample {
    /** The key of a person who is there; empty: the person below. */
    subject: string;
    person: unknown;
    /** undefined: not said yet; it is what the workflow begins with. */
    input: unknown;
}

const fresh: Sample = {
    subject: "",
    person: {
        first_name: "Ann",
        locale: "en",
        timezone: "Asia/Bangkok",
        addresses: { email: "ann@example.com", sms: "+66812345678", line: "U1", push: "t1" },
    },
    input: undefined,
};

const keyOf = (name: string) => `pawl.sample.${name}`;

function readSample(name: string): Sample {
    try {
        const read = parseExact(localStorage.getItem(keyOf(name)) ?? "") as Partial<Sample>;
        const fine = isObject(read) && typeof read.subject === "string" && isObject(read.person);
        return fine ? { ...fresh, ...read } : fresh;
    } catch {
        return fresh;
    }
}

/** What starts the test run: as it was said, else what a form of the workflow begins with. */
export const inputOf = (sample: Sample, definition: unknown): unknown =>
    sample.input ?? defaultsOf(inputSchemaOf(definition));

function stateOf(run: Rehearsal, step: RehearsedStep, last: boolean): StepMark {
    if (step.error) return "failed";
    if (!step.ended_at && run.status === "waiting") return "waiting";
    return last ? "now" : "done";
}

/** The path up to a step, as it is drawn on the canvas. */
export function marksOf(run: Rehearsal, at: number): Marks {
    const steps: Record<string, StepMark> = {};
    const lit = new Set<string>();
    const seen = run.steps.slice(0, at + 1);
    for (const [i, step] of seen.entries()) {
        steps[step.node] = stateOf(run, step, i === at);
        if (step.by) lit.add(edgeId(step.by));
    }
    return { steps, lit };
}

/** What templates can be filled with, from the sample and from the steps of the last test run. */
export interface SampleValues {
    user: unknown;
    trigger: unknown;
    input: unknown;
    steps: Record<string, { result: unknown }>;
}

/** One run of the draft in virtual time, looked at step by step. Nothing is sent. */
export function useTrial(name: string, current: () => Draft) {
    const [sample, setSample] = useState(() => readSample(name));
    const [mocks, setMocks] = useState<Record<string, unknown>>({});
    const [run, setRun] = useState<Rehearsal>();
    const [at, setAt] = useState(0);
    const [busy, setBusy] = useState(false);
    const { person, input } = sample;
    const wrong = sample.subject === "" && !isObject(person);
    const write = (part: Partial<Sample>) => {
        const next = { ...sample, ...part };
        setSample(next);
        try {
            localStorage.setItem(keyOf(name), formatJson(next));
        } catch {
            // The browser keeps nothing.
        }
    };
    const start = async (answers = mocks, from: "begin" | "stay" = "begin") => {
        setBusy(true);
        try {
            const { definition } = current();
            const isMadeUp = sample.subject === "";
            const test = {
                ...(isMadeUp ? { subject: "sample", person } : { subject: sample.subject }),
                input: inputOf(sample, definition),
                start: today().toISOString().replace(/\.\d+/, ""),
                ...(Object.keys(answers).length > 0 ? { mocks: answers } : {}),
            };
            const body = { definition: definition as never, test };
            const next = (await call(api.POST("/v1/workflows/rehearse", { body }))) as Rehearsal;
            setRun(next);
            setAt((old) => (from === "stay" ? Math.min(old, next.steps.length - 1) : 0));
        } catch (error) {
            showError(error);
        } finally {
            setBusy(false);
        }
    };
    /** Says what a step answers, and goes through all of it again. */
    const answer = (node: string, said: unknown) => {
        const { [node]: _, ...others } = mocks;
        const next = said === undefined ? others : { ...others, [node]: said };
        setMocks(next);
        void start(next, "stay");
    };
    const go = useCallback(
        (to: number) => setAt(Math.max(0, Math.min(to, (run?.steps.length ?? 1) - 1))),
        [run],
    );
    const clear = () => {
        setRun(undefined);
        setMocks({});
    };
    const marks = useMemo(() => (run ? marksOf(run, at) : undefined), [run, at]);
    const values: SampleValues = useMemo(
        () => ({
            user: run ? run.person : person,
            trigger: input,
            input,
            steps: Object.fromEntries(
                (run?.steps ?? []).map((step) => [step.node, { result: step.result }]),
            ),
        }),
        [run, person, input],
    );
    const step = run?.steps[at];
    return {
        sample,
        write,
        wrong,
        busy,
        run,
        at,
        step,
        go,
        start: () => start(),
        answer,
        mocks,
        clear,
        marks,
        values,
    };
}

export type Trial = ReturnType<typeof useTrial>;
