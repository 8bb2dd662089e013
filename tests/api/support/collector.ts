import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP's JSON has it, its attributes as an object. */
export interface Span {
    traceId: string;
    spanId: string;
    parentSpanId?: string;
    name: string;
    kind: number;
    startTimeUnixNano: string;
    endTimeUnixNano: string;
    attributes: Record<string, string>;
    links?: { traceId: string; spanId: string }[];
    status?: { code: number; message: string };
    service: string;
}

interface Attribute {
    key: string;
    value: { stringValue?: string; intValue?: string };
}

const asObject = (list: Attribute[]): Record<string, string> =>
    Object.fromEntries(
        list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]),
    );

/** Takes traces by OTLP over HTTP and keeps them. */
export class Collector {
    readonly spans: Span[] = [];
    readonly headers: Record<string, unknown>[] = [];
    private readonly server: Server = createServer((request, response) => {
        let text = "";
        request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        request.on("end", () => {
            if (request.url === "/v1/traces") {
                this.headers.push(request.headers);
                this.take(JSON.parse(text));
            }
            response.writeHead(request.url === "/v1/traces" ? 200 : 404).end("{}");
        });
    });

    async start(): Promise<string> {
        await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.server.unref();
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }

    /** The spans about a run, the earliest first. */
    of(run: string): Span[] {
        const found = this.spans.filter((span) => span.attributes["pawl.run.id"] === run);
        return found.sort((a, b) =>
            BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1,
        );
    }

    private take(body: any): void {
        for (const group of body.resourceSpans) {
            const service = asObject(group.resource.attributes)["service.name"] ?? "";
            for (const scope of group.scopeSpans) {
                for (const span of scope.spans) {
                    this.spans.push({ ...span, attributes: asObject(span.attributes), service });
                }
            }
        }
    }
}
