import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { checkedFetch } from "./support/contract.js";
import { Journeys } from "./support/journeys.js";
import { pawlCommand } from "./support/process.js";
import { until } from "./support/until.js";

// Mails whose server took them and never said so: what shows that they arrived, and how a person
// settles many at once.

/** A mail server that takes what it gets and drops the line instead of answering. */
class SilentMailServer {
    readonly mails: string[] = [];
    answers = false;
    private readonly server: Server = createServer((socket) => this.talk(socket));

    async start(): Promise<string> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.server.close();
    }

    private talk(socket: Socket): void {
        let heard = "";
        let inData = false;
        socket.on("error", () => socket.destroy());
        socket.write("220 silent.example\r\n");
        socket.on("data", (part: Buffer) => {
            heard += part.toString();
            for (;;) {
                const mark = inData ? "\r\n.\r\n" : "\r\n";
                const end = heard.indexOf(mark);
                if (end < 0) return;
                const line = heard.slice(0, end);
                heard = heard.slice(end + mark.length);
                if (inData) {
                    this.mails.push(line.replaceAll("=\r\n", "").replaceAll("=3D", "="));
                    if (!this.answers) return void socket.destroy();
                    socket.write("250 kept\r\n");
                    inData = false;
                    continue;
                }
                inData = /^DATA/i.test(line);
                socket.write(inData ? "354 go on\r\n" : "250 silent.example\r\n");
            }
        });
    }
}

/** A mail with its parts as they are read. */
const plain = (mail: string): string =>
    mail.replace(
        /^Content-Transfer-Encoding: base64\r?\n\r?\n([A-Za-z0-9+/=\r\n]+?)(?=--)/gm,
        (_, part: string) => `\r\n${Buffer.from(part, "base64").toString()}\r\n`,
    );

describe("a mail that was not answered", () => {
    const world = new Journeys();
    const mail = new SilentMailServer();
    const name = `silent_${randomUUID().slice(0, 8)}`;
    before(async () => {
        await world.start("ann");
        const url = await mail.start();
        const put = await world.call("ann", "PUT", "/v1/connectors/smtp/accounts/main", {
            credentials: { url },
            settings: { from: "shop@example.com", plain: true },
        });
        assert.equal(put.status, 200, put.text);
        const message = {
            channel: "email",
            track: true,
            subject: "Sale",
            text: "See https://shop.example/{{ trigger.n }}",
            html: "<html><body>Sale {{ trigger.n }}</body></html>",
        };
        const nodes = [{ id: "tell", message }];
        const made = await world.call("ann", "POST", "/v1/workflows", { name, nodes, edges: [] });
        assert.ok(made.status <= 201, made.text);
    });
    after(async () => {
        mail.stop();
        await world.stop();
    });

    /** A run whose message is unknown, and the mail. */
    async function unknown(): Promise<{ run: string; text: string }> {
        const person = randomUUID();
        const addresses = { email: `${person}@example.com` };
        await world.call("ann", "PUT", `/v1/people/${person}`, { addresses });
        const started = await world.call("ann", "POST", "/v1/runs", {
            workflow: name,
            subject: person,
            data: { n: 1 },
        });
        const run = started.json.id as string;
        await until("it is unknown", async () => (await message(run))?.state === "unknown");
        const text = mail.mails.find((one) => one.includes(addresses.email));
        assert.ok(text);
        return { run, text: plain(text) };
    }
    const message = async (run: string): Promise<any> =>
        (await world.call("ann", "GET", `/v1/messages?run=${run}`)).json.data[0];
    const visit = (url: string): Promise<Response> =>
        checkedFetch(url, { redirect: "manual", headers: { "User-Agent": "Mozilla/5.0 (X11)" } });
    const status = async (run: string): Promise<string> =>
        (await world.call("ann", "GET", `/v1/runs/${run}`)).json.status;

    test("has arrived when it is opened, or a link of it is followed", async () => {
        for (const link of [/http:\S+\/l\/[\w.-]+/, /http:[^"\s]+\.gif/]) {
            const { run, text } = await unknown();
            const sent = mail.mails.length;
            const [url] = link.exec(text) ?? [];
            assert.ok(url, text);
            await visit(url);
            await until("the run goes on", async () => (await status(run)) === "completed");
            const { state } = await message(run);
            // Right after the sending it may have been a program.
            assert.ok(["sent", "opened", "clicked"].includes(state), state);
            assert.equal(mail.mails.length, sent, "it is not sent again");
        }
    });

    test("is settled with many others in one step", async () => {
        const runs = [(await unknown()).run, (await unknown()).run, (await unknown()).run];
        const settle = async (filter: object, as: string): Promise<any> => {
            const body = { action: "settle", node: "tell", as, reason: "seen in its log", filter };
            const {
                status: code,
                json,
                text,
            } = await world.call("ann", "POST", "/v1/runs/bulk", body);
            assert.equal(code, 202, text);
            return await until("the job is over", async () => {
                const job = (await world.call("ann", "GET", `/v1/jobs/${json.id}`)).json;
                return job.status === "done" && job;
            });
        };
        const shown = await message(runs[0]!);
        const one = await settle({ workflow: name, subject: shown.person }, "failed");
        assert.deepEqual([one.action, one.done, one.failed], ["settle", 1, 0]);
        await until("it has failed", async () => (await message(runs[0]!)).state === "failed");
        const rest = await settle({ workflow: name }, "completed");
        assert.deepEqual([rest.done, rest.failed], [2, 0]);
        for (const run of runs.slice(1)) {
            await until("the run goes on", async () => (await status(run)) === "completed");
            assert.equal((await message(run)).state, "sent");
        }
        const none = await settle({ workflow: name }, "completed");
        assert.deepEqual([none.done, none.failed], [0, 0], "what is settled is left out");
    });

    test("is sent again by the command line, when it has not arrived", async () => {
        const { run } = await unknown();
        mail.answers = true;
        const before = mail.mails.length;
        const env = { DATABASE_URL: world.databaseUrl };
        const command = ["--tenant", "ann", "runs", "bulk", "settle", "--workflow", name];
        await assert.rejects(pawlCommand([...command, "--yes"], env), /needs --node STEP and --as/);
        const said = await pawlCommand(
            [...command, "--node", "tell", "--as", "retry", "--yes", "-o", "json"],
            env,
        );
        assert.equal(JSON.parse(said).done, 1);
        await until("the run goes on", async () => (await status(run)) === "completed");
        assert.equal(mail.mails.length, before + 1);
        assert.equal((await message(run)).state, "sent");
    });
});
