import { api, call, request } from "./api";
import { ApiError } from "./error";

/** Each makes what it needs and answers with the run to look at. */
export type Demo = "hello" | "approval" | "journey" | "failing" | "calling";

export interface Definition {
    name: string;
    description: string;
    [key: string]: unknown;
}

export const hello: Definition = {
    name: "demo_hello",
    description: "Two steps with a pause between them.",
    steps: [
        { name: "greet", code: "echo", input: { greeting: "Hello!" } },
        { name: "rest", wait: "3s" },
        { name: "bye", code: "echo", input: { greeting: "See you." } },
    ],
};

const approval: Definition = {
    name: "demo_approval",
    description: "A person decides on a draft before it goes on.",
    nodes: [
        {
            id: "review",
            human: {
                title: "Send this reply to {{ customer }}?",
                description: "The customer asked where the order is. Mend the draft if you like.",
                data: { subject: "Your order", text: "{{ draft }}" },
                form: {
                    type: "object",
                    required: ["subject", "text"],
                    properties: {
                        subject: { type: "string", maxLength: 200 },
                        text: { type: "string", maxLength: 5000 },
                    },
                },
                due: "1d",
            },
        },
        { id: "sent", code: "echo", input: { message: "The reply went out." } },
        { id: "kept", code: "echo", input: { message: "The reply was kept back." } },
    ],
    edges: [
        { from: "review", to: "sent", handle: "approved" },
        { from: "review", to: "kept", handle: "rejected" },
    ],
};

const journey: Definition = {
    name: "demo_journey",
    description: "Writes to a person, and waits for the mail to be opened.",
    nodes: [
        { id: "welcome", message: { channel: "email", template: "demo_welcome" } },
        { id: "read", wait: { event: "message.opened", timeout: "1m" } },
        { id: "thanks", code: "echo", input: { message: "Thanks for reading." } },
        { id: "quiet", code: "echo", input: { message: "Not opened yet." } },
    ],
    edges: [
        { from: "welcome", to: "read" },
        { from: "read", to: "thanks" },
        { from: "read", to: "quiet", handle: "timeout" },
    ],
};

export const failing: Definition = {
    name: "demo_failing",
    description: "Gives up, so that there is a failure to look at and to replay.",
    steps: [{ name: "charge", code: "fail", retry: { attempts: 1 } }],
};

export const calling: Definition = {
    name: "demo_calling",
    description: "Calls a server that is not there, until it is left alone.",
    steps: [
        {
            name: "call",
            http: { url: "https://shop.invalid/orders" },
            retry: { attempts: 8, base: "200ms" },
        },
    ],
};

/** What is published makes its queue; each message of it starts a run. */
export const queued: Definition = {
    name: "demo_queue",
    description: "Starts with each message of a queue.",
    triggers: [{ queue: "demo_orders" }],
    steps: [{ name: "greet", code: "echo", input: { message: "Order {{ order }}" } }],
};

const welcome = {
    category: "transactional",
    languages: {
        en: {
            subject: "Welcome, {{ user.first_name }}",
            text: "Hi {{ user.first_name }}, it is good to have you with us.",
            html: '<h1 style="color:#3b52cc">Hi {{ user.first_name }}</h1><p>It is good to have you with us.</p>',
        },
        th: {
            subject: "ยินดีต้อนรับ {{ user.first_name }}",
            text: "สวัสดี {{ user.first_name }} ยินดีที่มีคุณอยู่กับเรา",
        },
    },
};

export async function define(definition: Definition): Promise<void> {
    await request("POST", "/v1/workflows", definition);
}

async function start(workflow: string, rest: object): Promise<string> {
    const answer = await request<{ id: string }>("POST", "/v1/runs", { workflow, ...rest });
    return answer.id;
}

/** Whether this server has the sandbox: only `pawl dev` does. */
export async function hasSandbox(): Promise<boolean> {
    try {
        await request("GET", "/sandbox/messages?limit=1");
        return true;
    } catch (error) {
        if (error instanceof ApiError && error.status !== 0) return false;
        throw error;
    }
}

/** An account at the sandbox's mail provider, connected both ways. */
async function connectSandbox(): Promise<void> {
    const there = "/sandbox/accounts/resend/demo";
    const account = await request<{ credentials: object; settings: object }>("PUT", there, {});
    const ours = await request<{ hook_url?: string | null }>(
        "PUT",
        "/v1/connectors/resend/accounts/demo",
        { credentials: account.credentials, settings: account.settings },
    );
    if (ours.hook_url) {
        const behaviour = { delivered: 100, opened: 100, pause_ms: 800 };
        await request("PUT", there, { hook_url: ours.hook_url, behaviour });
    }
}

/** Ann, or someone of the tenant's own table, in which no one is added here. */
async function demoPerson(): Promise<string> {
    const key = "demo-ann";
    try {
        const body = {
            attributes: { first_name: "Ann" },
            addresses: { email: "ann@customers.example" },
            locale: "en",
        };
        await call(api.PUT("/v1/people/{key}", { params: { path: { key } }, body }));
        return key;
    } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        const { data } = await request<{ data: { key: string; addresses: object }[] }>(
            "GET",
            "/v1/people?limit=100",
        );
        const known = data.find(({ addresses }) => "email" in addresses) ?? data[0];
        if (!known) throw error;
        return known.key;
    }
}

export async function runDemo(demo: Demo): Promise<string> {
    if (demo === "hello") {
        await define(hello);
        return await start(hello.name, {});
    }
    if (demo === "approval") {
        await define(approval);
        const data = {
            customer: "Ann",
            draft: "Hi Ann,\n\nyour order left our house this morning.\n\nBest regards",
        };
        return await start(approval.name, { data });
    }
    if (demo === "failing") {
        await define(failing);
        return await start(failing.name, {});
    }
    if (demo === "calling") {
        await define(calling);
        return await start(calling.name, {});
    }
    await connectSandbox();
    const subject = await demoPerson();
    await request("PUT", "/v1/templates/demo_welcome", welcome);
    await define(journey);
    return await start(journey.name, { subject });
}
