import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useWords } from "@/words";
import { runWords } from "./words";

/** Leads to the trace of something, where the server was told where traces are. */
export function TraceLink({ url }: { url: string | null | undefined }) {
    const t = useWords(runWords);
    // What a server says is text: a link leads to the web only.
    if (!url || !/^https?:\/\//.test(url)) return null;
    return (
        <Anchor href={url} target="_blank" rel="noreferrer" size="xs" mr={8}>
            {t("trace")} <IconExternalLink size={11} aria-hidden />
        </Anchor>
    );
}
