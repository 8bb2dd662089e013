import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { CodeLine } from "./CodeLine";

interface Props {
    title: string;
    label: string;
    secret: string;
    /** Also forgets the secret. */
    close: () => void;
}

/** A secret that the server shows once and never again. */
export function SecretOnce({ title, label, secret, close }: Props) {
    const t = useWords(commonWords);
    return (
        <Modal
            opened
            onClose={close}
            title={title}
            centered
            closeOnClickOutside={false}
            closeOnEscape={false}
        >
            <Stack gap="sm">
                <Alert color="yellow" variant="light" icon={<IconEyeOff size={18} />}>
                    {t("shownOnce")}
                </Alert>
                <CodeLine label={label} text={secret} />
                <Group justify="flex-end">
                    <Button onClick={close}>{t("kept")}</Button>
                </Group>
            </Stack>
        </Modal>
    );
}
