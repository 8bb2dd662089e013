import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { binary, source } from "../support/paths.js";
import { Program } from "../support/process.js";

// A server goes on until the reader stops it, and ports of this machine may be taken.
const pawl = `#!/bin/bash
case "$1" in serve | worker) ;; *)
    ${binary} "$@"
    status=$?
    # 1 of a diff: there is a difference.
    case " $* " in *" diff "*) [ $status = 1 ] && exit 0 ;; esac
    exit $status
    ;;
esac
words=()
listens=no
for word in "$@"; do
    case "\${last:-}" in
        --listen | --metrics-listen) word=127.0.0.1:0 ;;
    esac
    if [ "$word" = --listen ]; then listens=yes; fi
    words+=("$word")
    last=$word
done
if [ "$1" = serve ] && [ $listens = no ]; then words+=(--listen 127.0.0.1:0); fi
log=$(mktemp)
setpriv --pdeathsig TERM ${binary} "\${words[@]}" --log-format json >"$log" 2>&1 &
server=$!
ready='"ready"|worker started'
until grep -qE "$ready" "$log"; do
    kill -0 $server 2>/dev/null || break
    read -rt 0.05 <> <(:) || :
done
kill -TERM $server 2>/dev/null
wait $server
status=$?
cat "$log"
grep -qE "$ready" "$log" || exit 1
exit $status
`;

// An answer of 4xx is a failure, which curl by itself does not say.
const curl = `#!/bin/sh
exec /usr/bin/curl --fail-with-body "$@"
`;

// What it would fetch and build is there: the test api_build has done so.
const npm = "#!/bin/sh\nexit 0\n";

const run = promisify(execFile);

/** A data directory of `pawl dev` with nothing in it, which those of a run of all tests copy. */
const kept = process.env["PAWL_PG_SEED"] && `${process.env["PAWL_PG_SEED"]}/dev`;

/** Makes it: to initialize and to migrate a cluster is most of what a page costs. */
export async function keepDataDirectory(): Promise<void> {
    if (!kept) throw new Error("run this by: scripts/with-postgres ctest");
    const workflows = mkdtempSync(`${tmpdir()}/pawl-none-`);
    const made = `${kept}.made`;
    const args = ["dev", "--listen", "127.0.0.1:0", "-o", "json", "--data-dir", made];
    const program = new Program([...args, "--workflows", workflows]);
    await program.printed();
    await program.stop();
    rmSync(workflows, { recursive: true });
    rmSync(`${made}/port`, { force: true }); // each has its own
    rmSync(kept, { recursive: true, force: true });
    await run("mv", [made, kept]);
}

/** A reader's folder: a copy of the checkout's examples, with \`pawl dev\` up in it. */
export class World {
    readonly folder = mkdtempSync(`${tmpdir()}/pawl-page-`);
    private program: Program | undefined;

    /** `fresh`: its data directory is made anew, as the first time that a reader starts it. */
    constructor(private readonly fresh = false) {}

    async start(): Promise<void> {
        chmodSync(this.folder, 0o711); // the user of the database server must get through
        mkdirSync(`${this.folder}/bin`);
        mkdirSync(`${this.folder}/output`);
        mkdirSync(`${this.folder}/build/release`, { recursive: true });
        cpSync(`${source}workflows`, `${this.folder}/workflows`, { recursive: true });
        for (const name of ["clients", "node_modules", "deploy"]) {
            symlinkSync(source + name, `${this.folder}/${name}`);
        }
        for (const [name, text] of Object.entries({ pawl, curl, npm })) {
            writeFileSync(`${this.folder}/bin/${name}`, text);
            chmodSync(`${this.folder}/bin/${name}`, 0o755);
        }
        symlinkSync(`${this.folder}/bin/pawl`, `${this.folder}/build/release/pawl`);
        const data = `${this.folder}/.pawl`;
        if (kept && existsSync(kept) && !this.fresh) {
            await run("cp", ["-a", "--reflink=auto", kept, data]);
        }
        const args = ["dev", "--listen", "127.0.0.1:0", "-o", "json", "--data-dir", data];
        this.program = new Program([...args, "--workflows", `${this.folder}/workflows`]);
        await this.program.printed();
    }

    /** A variable of the file that \`pawl dev\` writes. */
    setting(name: string): string {
        const text = readFileSync(`${this.folder}/.pawl/dev.env`, "utf8");
        return new RegExp(`^${name}=(.+)$`, "m").exec(text)?.[1] ?? "";
    }

    /** Runs a script here; its end, and where it was then. */
    async run(script: string): Promise<{ code: number | null }> {
        writeFileSync(`${this.folder}/page.sh`, script);
        const clean = Object.entries(process.env).filter(
            ([name]) => !/^(PG|PAWL_|DATABASE_URL)/.test(name),
        );
        const own = [`${this.folder}/bin`, process.env["PAWL_PG_BIN"], dirname(process.execPath)];
        const env = {
            ...Object.fromEntries(clean),
            PATH: [...own.filter(Boolean), process.env["PATH"]].join(":"),
            PAGE_OUTPUT: `${this.folder}/output`,
            NO_COLOR: "1",
        };
        const options = { cwd: this.folder, env, timeout: 120_000 };
        try {
            await run("bash", ["page.sh"], options);
            return { code: 0 };
        } catch (error) {
            return { code: (error as { code: number | null }).code };
        }
    }

    async stop(): Promise<void> {
        await this.program?.stop();
        rmSync(this.folder, { recursive: true, force: true });
    }
}
