import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { source } from "./support/paths.js";

describe("packages", () => {
    test("the types of the client are those of the OpenAPI document", () => {
        const script = `${source}clients/typescript/scripts/generate.mjs`;
        const { status, stderr } = spawnSync(process.execPath, [script, "--check"]);
        assert.equal(status, 0, stderr.toString());
    });

    test("the client has no dependencies", () => {
        const text = readFileSync(`${source}clients/typescript/package.json`, "utf8");
        const { dependencies, peerDependencies } = JSON.parse(text) as Record<string, unknown>;
        assert.equal(dependencies, undefined);
        assert.equal(peerDependencies, undefined);
    });

    test("the lockfile pins hashes and names no registry", () => {
        const text = readFileSync(`${source}package-lock.json`, "utf8");
        type Locked = { resolved?: string; integrity?: string; link?: boolean };
        const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
        for (const [path, locked] of Object.entries(packages)) {
            assert.ok(!locked.resolved?.includes("://"), `${path}: ${locked.resolved}`);
            if (path.startsWith("node_modules/") && !locked.link) assert.ok(locked.integrity, path);
        }
    });
});
