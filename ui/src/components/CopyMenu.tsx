import { Button, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import {
    IconBraces,
    IconCheck,
    IconChevronDown,
    IconCode,
    IconDatabase,
    IconFileText,
    IconTerminal2,
} from "@tabler/icons-react";
import { useActions } from "@/data/actions";
import { baseUrl } from "@/data/place";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { sqlIn } from "./command";
import { useCommand, useTenant } from "./useCommand";

export interface CopyAs {
    /** A path of the API, such as `/v1/runs?status=failed`. */
    curl?: string;
    method?: string;
    /** A function makes what is long only when it is copied. */
    body?: unknown;
    headers?: () => Record<string, string>;
    /** What follows `pawl`; nothing: there is no command for it. */
    cli?: string | undefined;
    /** What the command reads, such as a definition for `-f -`. */
    stdin?: () => string;
    /** A file that the command names, where it reads no other: it is written first. */
    file?: { name: string; text: () => string };
    sql?: string | (() => string) | undefined;
    /** The thing itself, as text. */
    yaml?: () => string;
    json?: () => string;
}

// A word of a command may have 128 kB at most; what a shell pipes has no limit.
const wordMax = 100_000;

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const piped = (text: string, command: string) => `printf '%s\\n' ${quote(text)} | ${command}`;

/** The request as a line for a shell. The key stays out of it. */
export function asCurl({ curl = "", method = "GET", body, headers }: CopyAs): string {
    const url = new URL(baseUrl + curl, document.baseURI).href;
    const parts = ["curl -sS", '-H "Authorization: Bearer $PAWL_API_KEY"'];
    if (method !== "GET") parts.push(`-X ${method}`);
    for (const [name, value] of Object.entries(headers?.() ?? {})) {
        parts.push(`-H ${quote(`${name}: ${value}`)}`);
    }
    if (body === undefined) return [...parts, quote(url)].join(" ");
    const text = JSON.stringify(typeof body === "function" ? body() : body);
    parts.push("-H 'Content-Type: application/json'");
    if (text.length > wordMax) {
        return piped(text, [...parts, "--data-binary @-", quote(url)].join(" "));
    }
    return [...parts, `-d ${quote(text)}`, quote(url)].join(" ");
}

/** What this screen shows, for a terminal, a script or the database. */
export function CopyMenu(props: CopyAs) {
    const t = useWords(commonWords);
    const clipboard = useClipboard({ timeout: 1200 });
    const command = useCommand(`pawl ${props.cli}`);
    const tenant = useTenant();
    const { sql, stdin, file } = props;
    const typed = () => {
        if (file) return `printf '%s\\n' ${quote(file.text())} > ${file.name} && ${command}`;
        return stdin ? piped(stdin(), command) : command;
    };
    const ways = [
        { of: props.curl, icon: IconCode, said: t("copyAsCurl"), text: () => asCurl(props) },
        { of: props.cli, icon: IconTerminal2, said: t("copyAsCli"), text: () => typed() },
        {
            of: props.sql,
            icon: IconDatabase,
            said: t("copyAsSql"),
            text: () => sqlIn(typeof sql === "function" ? sql() : (sql ?? ""), tenant),
        },
        { of: props.yaml, icon: IconFileText, said: "YAML", text: () => props.yaml?.() ?? "" },
        { of: props.json, icon: IconBraces, said: "JSON", text: () => props.json?.() ?? "" },
    ].filter((way) => way.of);
    useActions(
        ways.map((way) => ({
            label: `${t("copyAs")} ${way.said}`,
            run: () => clipboard.copy(way.text()),
        })),
    );
    return (
        <Menu position="bottom-end">
            <Menu.Target>
                <Button
                    variant="default"
                    leftSection={
                        clipboard.copied ? <IconCheck size={14} /> : <IconCode size={14} />
                    }
                    rightSection={<IconChevronDown size={12} />}
                >
                    {clipboard.copied ? t("copied") : t("copyAs")}
                </Button>
            </Menu.Target>
            <Menu.Dropdown>
                {ways.map((way) => (
                    <Menu.Item
                        key={way.said}
                        leftSection={<way.icon size={14} />}
                        onClick={() => clipboard.copy(way.text())}
                    >
                        {way.said}
                    </Menu.Item>
                ))}
            </Menu.Dropdown>
        </Menu>
    );
}
