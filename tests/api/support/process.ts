import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { promisify } from "node:util";
import { binary, source } from "./paths.js";
import { within } from "./until.js";

const run = promisify(execFile);

function environment(extra: Record<string, string>): NodeJS.ProcessEnv {
    // Nothing of the caller's may lead the program to another server or database.
    const own = Object.entries(process.env).filter(
        ([name]) => !/^(PG|PAWL_|DATABASE_URL)/.test(name) || name === "PAWL_PG_BIN",
    );
    // What it calls is here.
    return { ...Object.fromEntries(own), PAWL_ALLOW_OUTBOUND: "127.0.0.0/8,::1", ...extra };
}

/** Runs `pawl` to its end and returns what it printed. */
export async function pawlCommand(args: string[], env: Record<string, string>): Promise<string> {
    const { stdout } = await run(binary, args, { cwd: source, env: environment(env) });
    return stdout;
}

/** Runs `pawl` to its end, however that is. */
export async function pawlExit(
    args: string[],
    env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
    try {
        const done = await run(binary, args, { cwd: source, env: environment(env) });
        return { code: 0, ...done };
    } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, stdout, stderr };
    }
}

let programs = 0;

/** A `pawl` that goes on until it is stopped. Its log is kept in build/api. */
export class Program {
    /** The last of its log. */
    log = "";
    private readonly child: ChildProcess;
    private readonly over: Promise<unknown>;
    private output = "";

    /** `within`: a program, with its arguments, that becomes this one. */
    constructor(args: string[], env: Record<string, string> = {}, within: string[] = []) {
        // Should this process die, the program goes with it.
        this.child = spawn("setpriv", ["--pdeathsig", "TERM", ...within, binary, ...args], {
            cwd: source,
            env: environment(env),
            stdio: ["ignore", "pipe", "pipe"],
        });
        this.over = once(this.child, "exit");
        // Shows what went wrong.
        this.child.stderr?.pipe(createWriteStream(`${source}build/api/pawl-${++programs}.log`));
        this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
            this.log = (this.log + text).slice(-20_000);
            this.child.emit("pawl-output");
        });
        this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
            this.output += text;
            this.child.emit("pawl-output");
        });
    }

    get pid(): number {
        return this.child.pid!;
    }

    /** The JSON document that it prints. */
    printed<T>(): Promise<T> {
        return this.said("a document", () => {
            try {
                return JSON.parse(this.output) as T;
            } catch {
                return undefined; // not all of it yet
            }
        });
    }

    /** What a line of its log says. */
    logged(pattern: RegExp): Promise<string> {
        return this.said(String(pattern), () => pattern.exec(this.log)?.[1]);
    }

    async stop(): Promise<void> {
        const { exitCode, signalCode } = this.child;
        if (exitCode !== null || signalCode !== null) {
            throw new Error(`pawl ended by itself (${signalCode ?? exitCode}):\n${this.log}`);
        }
        this.child.kill("SIGTERM");
        await within("the program has stopped", this.over, 30_000);
    }

    async kill(): Promise<void> {
        this.child.kill("SIGKILL");
        await this.over;
    }

    private said<T>(what: string, look: () => T | undefined): Promise<T> {
        const saying = async (): Promise<T> => {
            for (let exited = false; ; ) {
                const found = look();
                if (found !== undefined) return found;
                if (exited) throw new Error(`pawl ended without ${what}:\n${this.log}`);
                exited = await Promise.race([
                    once(this.child, "pawl-output").then(() => false),
                    this.over.then(() => true),
                ]);
            }
        };
        return within(`pawl says ${what}`, saying(), 60_000);
    }
}
