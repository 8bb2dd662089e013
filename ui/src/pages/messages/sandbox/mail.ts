/** A mail as it went over the wire (RFC 5322, MIME): its subject, its text and its HTML. */
export interface Mail {
    from: string;
    subject: string;
    text: string;
    html: string;
}

const deepest = 5;

function bytesOf(body: string, encoding: string): Uint8Array {
    if (encoding === "base64") {
        try {
            return Uint8Array.from(atob(body.replace(/\s/g, "")), (one) => one.charCodeAt(0));
        } catch {
            return new TextEncoder().encode(body);
        }
    }
    if (encoding !== "quoted-printable") return new TextEncoder().encode(body);
    const out: number[] = [];
    const joined = body.replace(/=\r?\n/g, "");
    for (let at = 0; at < joined.length; at++) {
        const hex = /^=([0-9A-F]{2})/i.exec(joined.slice(at, at + 3));
        if (hex) {
            out.push(Number.parseInt(hex[1]!, 16));
            at += 2;
        } else {
            out.push(...new TextEncoder().encode(joined[at]));
        }
    }
    return Uint8Array.from(out);
}

const decode = (body: string, encoding: string) =>
    new TextDecoder().decode(bytesOf(body, encoding));

/** `=?utf-8?B?...?=` in headers. */
export function headerText(text: string): string {
    return text
        .replace(/\?=\s+=\?/g, "?==?")
        .replace(/=\?[\w-]+\?([BQ])\?([^?]*)\?=/gi, (_, how: string, body: string) =>
            how.toUpperCase() === "B"
                ? decode(body, "base64")
                : decode(body.replaceAll("_", " "), "quoted-printable"),
        );
}

function split(source: string): { headers: Map<string, string>; body: string } {
    const at = /\r?\n\r?\n/.exec(source);
    const head = at ? source.slice(0, at.index) : source;
    const body = at ? source.slice(at.index + at[0].length) : "";
    const headers = new Map<string, string>();
    for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
        const colon = line.indexOf(":");
        if (colon > 0) {
            headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
        }
    }
    return { headers, body };
}

function collect(source: string, into: Mail, depth: number): void {
    const { headers, body } = split(source);
    const type = headers.get("content-type") ?? "text/plain";
    const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
    if (boundary && depth < deepest) {
        for (const part of body.split(`--${boundary}`).slice(1)) {
            if (!part.startsWith("--")) collect(part.replace(/^\r?\n/, ""), into, depth + 1);
        }
        return;
    }
    const encoding = (headers.get("content-transfer-encoding") ?? "7bit").toLowerCase();
    if (/^text\/html/i.test(type)) into.html ||= decode(body, encoding);
    else if (/^text\/plain/i.test(type)) into.text ||= decode(body, encoding);
}

export function readMail(source: string): Mail {
    const { headers } = split(source);
    const mail: Mail = {
        from: headerText(headers.get("from") ?? ""),
        subject: headerText(headers.get("subject") ?? ""),
        text: "",
        html: "",
    };
    collect(source, mail, 0);
    return mail;
}
