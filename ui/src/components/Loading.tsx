import { Center, Loader } from "@mantine/core";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";

export function Loading() {
    const t = useWords(commonWords);
    return (
        <Center h="100%" mih={160} role="status" aria-label={t("loading")}>
            <Loader size="sm" color="gray" />
        </Center>
    );
}
