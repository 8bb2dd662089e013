import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Journeys } from "./support/journeys.js";
import { pawlCommand, pawlExit } from "./support/process.js";

// People of a file in which some rows cannot be saved.

describe("import of people", () => {
    const world = new Journeys();
    const folder = mkdtempSync(`${process.env["TMPDIR"] ?? "/tmp"}/import-`);
    let env: Record<string, string>;
    before(async () => {
        await world.start("ann");
        env = { PAWL_URL: world.server.url, PAWL_API_KEY: world.keyOf("ann") };
    });
    after(() => world.stop());

    const write = (name: string, text: string): string => {
        writeFileSync(`${folder}/${name}`, text);
        return `${folder}/${name}`;
    };
    const statusOf = async (key: string): Promise<number> =>
        (await world.call("ann", "GET", `/v1/people/${key}`)).status;
    const row = (i: number, zone = ""): string => `c${i},"Lee, ${i}\nB",${zone}`;

    test("a row that is refused is named with its line, and can be left out", async () => {
        const zones = Array.from({ length: 1200 }, (_, i) => (i === 733 ? "Mars/Olympus" : ""));
        const rows = zones.map((zone, i) => row(i, zone));
        const file = write("people.csv", `key,name,timezone\n${rows.join("\n")}\n`);
        // Each row has two lines, and the first line names the columns.
        const line = 2 + 2 * 733;
        const stopped = await pawlExit(["people", "import", file], env);
        assert.equal(stopped.code, 8, "some are saved");
        assert.match(stopped.stderr, /saved: 999 people/);
        assert.match(stopped.stderr, new RegExp(`line ${line}: timezone must be a time zone`));
        assert.match(stopped.stderr, /--skip-bad/);
        assert.deepEqual([await statusOf("c1"), await statusOf("c1199")], [200, 404]);

        const bad = `${folder}/bad.csv`;
        const skipped = await pawlExit(["people", "import", file, "--skip-bad", bad], env);
        assert.equal(skipped.code, 8, skipped.stderr);
        assert.match(skipped.stdout, /^1199 people$/m);
        assert.match(skipped.stderr, /1 row left out/);
        assert.deepEqual([await statusOf("c733"), await statusOf("c1199")], [404, 200]);
        const left = readFileSync(bad, "utf8");
        const begin = `"problem","key","name","timezone"\n"line ${line}: timezone must be`;
        assert.ok(left.startsWith(begin), left);
        assert.match(left, /"c733","Lee, 733\nB","Mars\/Olympus"\n$/);
        const mended = write("mended.csv", left.replace("Mars/Olympus", "Asia/Tokyo"));
        assert.match(await pawlCommand(["people", "import", mended], env), /^1 people$/m);
        const { json } = await world.call("ann", "GET", "/v1/people/c733");
        assert.deepEqual([json.timezone, json.attributes], ["Asia/Tokyo", { name: "Lee, 733\nB" }]);
    });

    test("rows without a key or with other fields are found before anything is sent", async () => {
        const file = write("uneven.csv", 'key,name\nu1,"a\nb"\nu2\n,x\nu4,y\n');
        const refused = await pawlExit(["people", "import", file], env);
        assert.equal(refused.code, 2);
        assert.match(refused.stderr, /line 4: has 1 field, the first line names 2/);
        assert.equal(await statusOf("u1"), 404);
        const same = await pawlExit(["people", "import", file, "--skip-bad", file], env);
        assert.match(same.stderr, /another file/);
        const bad = `${folder}/uneven_bad.csv`;
        const args = ["people", "import", file, "--skip-bad", bad, "-o", "json"];
        const skipped = await pawlExit(args, env);
        assert.deepEqual(JSON.parse(skipped.stdout), { rows: 4, people: 2, skipped: 2 });
        assert.equal(
            readFileSync(bad, "utf8"),
            '"problem","key","name"\n' +
                '"line 4: has 1 field, the first line names 2","u2"\n"line 5: has no key","","x"\n',
        );
        assert.equal(await statusOf("u4"), 200);
    });

    test("large rows go in several requests, and one that no answer names is found", async () => {
        const long = "x".repeat(60_000);
        const rows = Array.from({ length: 40 }, (_, i) => `l${i},${long}`);
        rows[17] = `l17,${"x".repeat(1_100_000)}`;
        rows[30] = "l30,a\0b";
        const file = write("large.csv", `key,note\n${rows.join("\n")}\n`);
        const bad = `${folder}/large_bad.csv`;
        const skipped = await pawlExit(["people", "import", file, "--skip-bad", bad], env);
        assert.equal(skipped.code, 8, skipped.stderr);
        assert.match(skipped.stdout, /^38 people$/m);
        const lines = readFileSync(bad, "utf8").match(/^"line \d+/gm);
        assert.deepEqual(lines, ['"line 19', '"line 32']);
        assert.deepEqual([await statusOf("l29"), await statusOf("l31")], [200, 200]);
    });
});
