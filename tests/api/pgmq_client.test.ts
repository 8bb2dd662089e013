import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Pgmq } from "pgmq-js";
import { databaseUrl } from "./support/server.js";

// pgmq-js as npm has it, against the queues that Pawl makes.

describe("an unmodified client of pgmq", () => {
    let pgmq: Pgmq;
    let queue: string;
    before(async () => {
        const url = new URL(databaseUrl.replace("@/", "@localhost/"));
        pgmq = await Pgmq.new(
            {
                host: url.searchParams.get("host") ?? "",
                database: url.pathname.slice(1),
                user: "postgres",
                password: "",
                port: 5432,
                ssl: false,
                connectionTimeoutMillis: 20_000,
            },
            { skipExtensionCreation: true },
        );
        queue = `Client-${randomUUID()}`;
        await pgmq.queue.create(queue);
    });
    after(async () => {
        await pgmq.queue.drop(queue);
        assert.ok(!(await pgmq.queue.list()).some((one) => one.name === queue));
        await pgmq.close();
    });

    test("queues are listed", async () => {
        const unlogged = `unlogged_${randomUUID().slice(0, 8)}`;
        await pgmq.queue.createUnlogged(unlogged);
        const found = (await pgmq.queue.list()).filter((one) =>
            [queue, unlogged].includes(one.name),
        );
        assert.equal(found.length, 2);
        assert.deepEqual(
            found.map((one) => [one.name, one.isPartitioned, one.isUnlogged]),
            [
                [queue, false, false],
                [unlogged, false, true],
            ],
        );
        assert.ok(found.every((one) => one.createdAt.getTime() <= Date.now() + 60_000));
        await pgmq.queue.detachArchive(unlogged);
        await pgmq.queue.drop(unlogged);
    });

    test("messages are sent, read, hidden, deleted and archived", async () => {
        const first = await pgmq.msg.send(queue, { order: 1 });
        const more = await pgmq.msg.sendBatch(queue, [{ order: 2 }, { order: 3 }, { order: 4 }]);
        assert.deepEqual(more, [first + 1, first + 2, first + 3]);
        const delayed = await pgmq.msg.send(queue, { order: 5 }, 3600);

        const read = await pgmq.msg.read<{ order: number }>(queue, 3600);
        assert.deepEqual([read.msgId, read.readCount, read.message.order], [first, 1, 1]);
        const batch = await pgmq.msg.readBatch<{ order: number }>(queue, 3600, 10);
        assert.deepEqual(
            batch.map((one) => one.message.order),
            [2, 3, 4],
        );
        assert.equal(await pgmq.msg.read(queue, 0), undefined);

        const shown = await pgmq.msg.setVt(queue, delayed, 0);
        assert.equal(shown?.msgId, delayed);
        assert.equal((await pgmq.msg.pop<{ order: number }>(queue))?.message.order, 5);
        assert.equal(await pgmq.msg.pop(queue), undefined);
        assert.equal(await pgmq.msg.setVt(queue, delayed, 0), undefined);

        assert.equal(await pgmq.msg.delete(queue, first), true);
        assert.equal(await pgmq.msg.delete(queue, first), false);
        assert.equal(await pgmq.msg.archive(queue, first + 1), true);
        assert.deepEqual(await pgmq.msg.archiveBatch(queue, [first + 1, first + 2]), [first + 2]);
        assert.deepEqual(await pgmq.msg.deleteBatch(queue, [first, first + 3]), [first + 3]);

        const metrics = await pgmq.queue.getMetrics(queue);
        assert.deepEqual([metrics.queueName, metrics.queueLength], [queue, 0]);
        assert.equal(metrics.totalMessages, delayed);
        assert.equal(metrics.newestMsgAgeSec, undefined);
        assert.ok((await pgmq.queue.getAllMetrics()).some((one) => one.queueName === queue));
    });

    test("a queue is emptied; one that does not exist is an error", async () => {
        await pgmq.msg.sendBatch(queue, [1, 2, 3]);
        await pgmq.queue.purge(queue);
        assert.equal((await pgmq.queue.getMetrics(queue)).queueLength, 0);
        await assert.rejects(pgmq.msg.send("none", 1), /relation "pgmq.q_none" does not exist/);
        await assert.rejects(pgmq.queue.create("a;b"), /queue name contains invalid characters/);
    });
});
