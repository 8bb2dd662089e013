import { Modal } from "@mantine/core";
import { DialogForm, type DialogFormProps } from "./DialogForm";

interface Props extends DialogFormProps {
    title: string;
    says: string;
    pending: boolean;
}

/** Fields of something that is made or changed. */
export function FormDialog({ title, ...form }: Props) {
    return (
        <Modal opened onClose={form.close} title={title} size="lg">
            <DialogForm {...form} />
        </Modal>
    );
}
