import { api, call, type Schemas } from "@/data/api";
import { isPartOfId, shortId } from "@/data/ids";
import { runsOfPart, runsThatBegin } from "@/data/runIds";
import { allows, useSession } from "@/data/session";
import { nameOf, type Person } from "@/pages/people/data";

/** Something that a pasted text names, and where it is shown. */
export interface Finding {
    kind:
        | "run"
        | "byPart"
        | "task"
        | "message"
        | "person"
        | "job"
        | "workflow"
        | "byCorrelation"
        | "bySubject"
        | "failure";
    title: string;
    to: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const shown = 5;
/** What the server takes as the text that people are found by. */
const longest = 200;

interface Try {
    scope: string;
    find: (text: string, signal: AbortSignal) => Promise<Finding[]>;
}

const runFinding = (one: Schemas["Run"], kind: Finding["kind"]): Finding => ({
    kind,
    title: `${one.workflow} · ${one.status}${kind === "run" ? "" : ` · ${shortId(one.id)}`}`,
    to: `/runs/${one.id}`,
});

// Lists are asked where they know it: a browser logs every question that is answered with 404.
const run: Try = {
    scope: "runs:read",
    find: async (id, signal) =>
        (await runsThatBegin(id, signal)).map((one) => runFinding(one, "run")),
};

const partOfRun: Try = {
    scope: "runs:read",
    find: async (part, signal) => {
        if (!isPartOfId(part)) return [];
        const found = (await runsOfPart(part, signal)).slice(0, shown);
        return found.map((one) => runFinding(one, found.length === 1 ? "run" : "byPart"));
    },
};

const task: Try = {
    scope: "tasks:read",
    find: async (id, signal) => {
        await call(api.GET("/v1/tasks/{id}", { params: { path: { id } }, signal }));
        return [{ kind: "task", title: id, to: `/inbox?task=${id}` }];
    },
};

const message: Try = {
    scope: "runs:read",
    find: async (id, signal) => {
        await call(api.GET("/v1/messages/{id}", { params: { path: { id } }, signal }));
        return [{ kind: "message", title: id, to: `/messages/${id}` }];
    },
};

const sentMessage: Try = {
    scope: "runs:read",
    find: async (external_id, signal) => {
        const query = { external_id, limit: shown };
        const found = await call(api.GET("/v1/messages", { params: { query }, signal }));
        return (found.data as Schemas["Message"][]).map((one) => ({
            kind: "message" as const,
            title: [one.channel, one.address, one.state].filter(Boolean).join(" · "),
            to: `/messages/${one.id}`,
        }));
    },
};

const job: Try = {
    scope: "runs:read",
    find: async (id, signal) => {
        await call(api.GET("/v1/jobs/{id}", { params: { path: { id } }, signal }));
        return [{ kind: "job", title: id, to: `/operations?job=${id}` }];
    },
};

const personFinding = (key: string, title: string): Finding => ({
    kind: "person",
    title,
    to: `/people/${encodeURIComponent(key)}`,
});

async function peopleWith(q: string, signal: AbortSignal) {
    if (q.length > longest) return { data: [], has_more: true };
    const query = { q, limit: 20 };
    const page = await call(api.GET("/v1/people", { params: { query }, signal }));
    return { data: page.data as unknown as Person[], has_more: page.has_more };
}

const person: Try = {
    scope: "runs:read",
    find: async (key, signal) => {
        const { data, has_more } = await peopleWith(key, signal);
        const isThere = data.some((one) => one.key === key);
        // Of very many people, only some were looked through.
        if (!isThere && !has_more) return [];
        if (!isThere) {
            await call(api.GET("/v1/people/{key}", { params: { path: { key } }, signal }));
        }
        return [personFinding(key, key)];
    },
};

const personWith: Try = {
    scope: "runs:read",
    find: async (text, signal) => {
        const { data } = await peopleWith(text, signal);
        return data.slice(0, shown).map((one) => {
            const name = nameOf(one);
            return personFinding(one.key, name ? `${name} · ${one.key}` : one.key);
        });
    },
};

const correlation: Try = {
    scope: "runs:read",
    find: async (text, signal) => {
        const query = { correlation_id: text, limit: shown };
        const found = await call(api.GET("/v1/runs", { params: { query }, signal }));
        return (found.data as Schemas["Run"][]).map((one) => runFinding(one, "byCorrelation"));
    },
};

const subject: Try = {
    scope: "runs:read",
    find: async (text, signal) => {
        const query = { subject: text, limit: 1 };
        const found = await call(api.GET("/v1/runs", { params: { query }, signal }));
        const to = `/runs?subject=${encodeURIComponent(text)}`;
        return found.data.length > 0 ? [{ kind: "bySubject", title: text, to }] : [];
    },
};

const workflow: Try = {
    scope: "workflows:read",
    find: async (name, signal) => {
        const query = { limit: 1000 };
        const { data, has_more } = await call(
            api.GET("/v1/workflows", { params: { query }, signal }),
        );
        const isThere = (data as Schemas["Workflow"][]).some((one) => one.name === name);
        if (!isThere && !has_more) return [];
        if (!isThere) {
            await call(api.GET("/v1/workflows/{name}", { params: { path: { name } }, signal }));
        }
        return [{ kind: "workflow", title: name, to: `/workflows/${encodeURIComponent(name)}` }];
    },
};

/** Runs that failed alike. */
const failure: Try = {
    scope: "runs:read",
    find: async (fingerprint, signal) => {
        if (!/^[0-9a-f]{6,32}$/i.test(fingerprint)) return [];
        const query = { fingerprint, limit: 1 };
        const found = await call(api.GET("/v1/dead-letters", { params: { query }, signal }));
        return (found.data as Schemas["DeadLetter"][]).map((one) => ({
            kind: "failure" as const,
            title: `${one.workflow} · ${one.error.message}`,
            to: `/failures?group=${encodeURIComponent(fingerprint)}`,
        }));
    },
};

/** What a text names by itself, and what is asked only where that is nothing. */
const stepsFor = (text: string): Try[][] =>
    uuid.test(text)
        ? [
              [run, person, correlation],
              [task, message, job, sentMessage, subject, personWith],
          ]
        : [
              [workflow, person, correlation, failure],
              [partOfRun, sentMessage, subject, personWith],
          ];

/** Asks for everything that the text may name; what does not exist or is refused is left out. */
export async function lookUp(text: string, signal: AbortSignal): Promise<Finding[]> {
    const scopes = useSession.getState().session?.scopes ?? [];
    for (const tries of stepsFor(text)) {
        const answers = await Promise.allSettled(
            tries
                .filter(({ scope }) => allows(scopes, scope))
                .map(({ find }) => find(text, signal)),
        );
        const found = answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
        if (found.length > 0) return found;
    }
    return [];
}
