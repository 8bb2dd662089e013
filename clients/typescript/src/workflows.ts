import { List } from "./pages.js";
import { segment, type Transport } from "./transport.js";
import type {
    Applied,
    CallOptions,
    ChangeOptions,
    Definition,
    Job,
    Migrate,
    Page,
    Rehearsal,
    Validation,
    VersionRef,
    VersionShare,
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

    /** Saves a definition as a version that nothing starts until it is activated. */
    draft(definition: Definition | string, options?: ChangeOptions): Promise<Applied> {
        return this.transport.post(`${root}?draft=true`, definition, options);
    }

    /** Makes a definition, an object or YAML text, the active version. */
    apply(definition: Definition | string, options?: ChangeOptions): Promise<Applied> {
        return this.transport.post(root, definition, options);
    }

    /** Checks a definition without changing anything. */
    validate(definition: Definition | string, options: CallOptions = {}): Promise<Validation> {
        return this.transport.ask(`${root}/validate`, definition, options.signal);
    }

    /** One run in virtual time, step by step; nothing is sent, called or kept. */
    rehearse(
        definition: Definition | string,
        test: Record<string, unknown> = {},
        options: CallOptions = {},
    ): Promise<Rehearsal> {
        return this.transport.ask(`${root}/rehearse`, { definition, test }, options.signal);
    }

    /** Newest first. */
    versions(name: string, options: CallOptions & { limit?: number } = {}): List<Workflow> {
        const { limit, signal } = options;
        const path = `${root}/${segment(name)}/versions`;
        return new List((cursor) =>
            this.transport.get<Page<Workflow>>(path, { limit, cursor }, signal),
        );
    }

    /** A version by its number or its label. */
    version(name: string, version: VersionRef, options: CallOptions = {}): Promise<Workflow> {
        const path = `${root}/${segment(name)}/versions/${segment(String(version))}`;
        return this.transport.get(path, undefined, options.signal);
    }

    /** Makes a workflow active again, or activates another version. */
    activate(name: string, version?: VersionRef, options?: ChangeOptions): Promise<Workflow> {
        const body = version === undefined ? {} : { version };
        return this.transport.post(`${root}/${segment(name)}/activate`, body, options);
    }

    /** Sets the versions that are active beside the head, with their shares in percent. */
    canary(name: string, shares: VersionShare[], options?: ChangeOptions): Promise<Workflow> {
        return this.transport.post(`${root}/${segment(name)}/canary`, { shares }, options);
    }

    /** Says who answers for a workflow; null: no one. Makes no version. */
    setOwner(name: string, owner: string | null, options: CallOptions = {}): Promise<Workflow> {
        return this.transport.put(`${root}/${segment(name)}/owner`, { owner }, options.signal);
    }

    /** Checks what a version would mean for every open run; changes nothing. */
    impact(name: string, request: Migrate, options?: ChangeOptions): Promise<Job> {
        return this.transport.post(`${root}/${segment(name)}/impact`, request, options);
    }

    /** Moves open runs to another version. */
    migrate(
        name: string,
        request: Migrate & { dry_run?: boolean; drain?: boolean },
        options?: ChangeOptions,
    ): Promise<Job> {
        return this.transport.post(`${root}/${segment(name)}/migrate`, request, options);
    }

    /** Refuses new runs; open runs continue. */
    deactivate(name: string, options?: ChangeOptions): Promise<Workflow> {
        return this.transport.post(`${root}/${segment(name)}/deactivate`, undefined, options);
    }
}
