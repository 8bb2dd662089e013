import { Button, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import {
    IconCheck,
    IconChevronDown,
    IconCode,
    IconDatabase,
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
    body?: unknown;
    /** What follows `pawl`; nothing: there is no command for it. */
    cli?: string | undefined;
    sql?: string | undefined;
}

/** The request as a line for a shell. The key stays out of it. */
export function asCurl({ curl = "", method = "GET", body }: CopyAs): string {
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const url = new URL(baseUrl + curl, document.baseURI).href;
    const parts = ["curl -sS", '-H "Authorization: Bearer $PAWL_API_KEY"'];
    if (method !== "GET") parts.push(`-X ${method}`);
    if (body !== undefined) {
        parts.push("-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`);
    }
    return [...parts, quote(url)].join(" ");
}

/** What this screen shows, for a terminal, a script or the database. */
export function CopyMenu(props: CopyAs) {
    const t = useWords(commonWords);
    const clipboard = useClipboard({ timeout: 1200 });
    const command = useCommand(`pawl ${props.cli}`);
    const tenant = useTenant();
    const ways = [
        { of: props.curl, icon: IconCode, said: t("copyAsCurl"), text: () => asCurl(props) },
        { of: props.cli, icon: IconTerminal2, said: t("copyAsCli"), text: () => command },
        {
            of: props.sql,
            icon: IconDatabase,
            said: t("copyAsSql"),
            text: () => sqlIn(props.sql ?? "", tenant),
        },
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
