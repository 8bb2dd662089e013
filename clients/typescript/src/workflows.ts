import { List } from "./pages.js";
import { segment, type Transport } from "./transport.js";
import type {
    Applied,
    CallOptions,
    ChangeOptions,
    Definition,
    Page,
    Validation,
    Workflow,
} from "./types.js";

const root = "/v1/workflows";

/** Definitions and their versions. */
export class Workflows {
    constructor(private readonly transport: Transport) {}

    list(options: CallOptions & { limit?: number } = {}): List<Workflow> {
        const { limit, signal } = options;
        return new List((cursor) =>
            this.transport.get<Page<Workflow>>(root, { limit, cursor }, signal),
        );
    }

    /** A workflow with its active definition. */
    get(name: string, options: CallOptions = {}): Promise<Workflow> {
        return this.transport.get(`${root}/${segment(name)}`, undefined, options.signal);
    }

    /** Makes a definition, an object or YAML text, the active version. */
    apply(definition: Definition | string, options?: ChangeOptions): Promise<Applied> {
        return this.transport.post(root, definition, options);
    }

    /** Says whether a definition is right, and changes nothing. */
    validate(definition: Definition | string, options: CallOptions = {}): Promise<Validation> {
        return this.transport.ask(`${root}/validate`, definition, options.signal);
    }

    /** Newest first. */
    versions(name: string, options: CallOptions & { limit?: number } = {}): List<Workflow> {
        const { limit, signal } = options;
        const path = `${root}/${segment(name)}/versions`;
        return new List((cursor) =>
            this.transport.get<Page<Workflow>>(path, { limit, cursor }, signal),
        );
    }

    version(name: string, version: number, options: CallOptions = {}): Promise<Workflow> {
        const path = `${root}/${segment(name)}/versions/${version}`;
        return this.transport.get(path, undefined, options.signal);
    }

    /** Lets a workflow be started again, or goes to another version. */
    activate(name: string, version?: number, options?: ChangeOptions): Promise<Workflow> {
        const body = version === undefined ? {} : { version };
        return this.transport.post(`${root}/${segment(name)}/activate`, body, options);
    }

    /** Refuses new runs; those under way go on. */
    deactivate(name: string, options?: ChangeOptions): Promise<Workflow> {
        return this.transport.post(`${root}/${segment(name)}/deactivate`, undefined, options);
    }
}
