import { api, call, type Schemas } from "@/data/api";
import { shortId } from "@/data/ids";

/** Something that a pasted text names, and where it is shown. */
export interface Finding {
    kind: "run" | "task" | "message" | "person" | "job" | "workflow" | "byCorrelation" | "failure";
    title: string;
    to: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Try = (text: string, signal: AbortSignal) => Promise<Finding[]>;

const run: Try = async (id, signal) => {
    const found = await call(api.GET("/v1/runs/{id}", { params: { path: { id } }, signal }));
    return [{ kind: "run", title: `${found.workflow} · ${found.status}`, to: `/runs/${id}` }];
};

const task: Try = async (id, signal) => {
    await call(api.GET("/v1/tasks/{id}", { params: { path: { id } }, signal }));
    return [{ kind: "task", title: id, to: `/inbox?task=${id}` }];
};

const message: Try = async (id, signal) => {
    await call(api.GET("/v1/messages/{id}", { params: { path: { id } }, signal }));
    return [{ kind: "message", title: id, to: `/messages/${id}` }];
};

const job: Try = async (id, signal) => {
    await call(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal }));
    return [{ kind: "job", title: id, to: `/operations?job=${id}` }];
};

const person: Try = async (key, signal) => {
    await call(api.GET("/v1/people/{key}", { params: { path: { key } }, signal }));
    return [{ kind: "person", title: key, to: `/people/${encodeURIComponent(key)}` }];
};

const correlation: Try = async (text, signal) => {
    const query = { correlation_id: text, limit: 5 };
    const found = await call(api.GET("/v1/runs", { params: { query }, signal }));
    return ((found.data ?? []) as Schemas["Run"][]).map((one) => ({
        kind: "byCorrelation" as const,
        title: `${one.workflow} · ${one.status} · ${shortId(one.id)}`,
        to: `/runs/${one.id}`,
    }));
};

const workflow: Try = async (name, signal) => {
    await call(api.GET("/v1/workflows/{name}", { params: { path: { name } }, signal }));
    return [{ kind: "workflow", title: name, to: `/workflows/${encodeURIComponent(name)}` }];
};

/** Runs that failed alike. */
const failure: Try = async (fingerprint, signal) => {
    const query = { fingerprint, limit: 1 };
    const found = await call(api.GET("/v1/dead-letters", { params: { query }, signal }));
    return ((found.data ?? []) as Schemas["DeadLetter"][]).map((one) => ({
        kind: "failure" as const,
        title: `${one.workflow} · ${one.error.message}`,
        to: `/failures?group=${encodeURIComponent(fingerprint)}`,
    }));
};

/** Asks for everything that the text may name; what does not exist or is refused is left out. */
export async function lookUp(text: string, signal: AbortSignal): Promise<Finding[]> {
    const tries = uuid.test(text)
        ? [run, task, message, job, person, correlation]
        : [workflow, person, correlation, failure];
    const answers = await Promise.allSettled(tries.map((one) => one(text, signal)));
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}
