import { Checkbox, List, Modal, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { DialogForm } from "@/components/DialogForm";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { peopleWords } from "./words";

interface Props {
    /** The key. */
    name: string;
    /** What the person is called; empty: not known. */
    called: string;
    path: string;
    onClose: () => void;
    onErased: () => void;
}

/** Says what goes and what stays, and erases once the key was typed. */
export function EraseDialog({ name, called, path, onClose, onErased }: Props) {
    const t = useWords(peopleWords);
    const [typed, setTyped] = useState("");
    // Of a long key the end is enough, and so is the name.
    const end = name.length > 12 ? name.slice(-6) : name;
    const isLong = end !== name;
    const asked = isLong
        ? t(called ? "eraseTypeEither" : "eraseTypeEnd", { name: called, key: end })
        : t("eraseType", { key: name });
    const isSure = [name, end, called].includes(typed.trim()) && typed.trim() !== "";
    const [runs, setRuns] = useState(false);
    const erase = useAct({
        run: () => request("DELETE", `${path}${runs ? "?runs=true" : ""}`),
        done: t("erased", { key: name }),
        changes: [["people"], ["messages"]],
        onDone: onErased,
    });
    return (
        <Modal opened onClose={onClose} title={t("eraseTitle", { key: called || name })} size="lg">
            <DialogForm
                submit={t("erase")}
                grave
                ready={isSure}
                pending={erase.isPending}
                onSubmit={() => erase.mutate()}
                close={onClose}
                copy={{
                    curl: `${path}${runs ? "?runs=true" : ""}`,
                    method: "DELETE",
                    // The command leaves the data of runs alone.
                    cli: runs ? undefined : `people erase ${shellWord(name)}`,
                }}
            >
                <Text fw={600}>{t("eraseGoes")}</Text>
                <List size="sm" spacing={2}>
                    <List.Item>{t("goesKnown")}</List.Item>
                    <List.Item>{t("goesMessages")}</List.Item>
                    <List.Item>{t("goesWishes")}</List.Item>
                </List>
                <Text fw={600}>{t("eraseStays")}</Text>
                <List size="sm" spacing={2}>
                    <List.Item>{t("staysCounts")}</List.Item>
                    <List.Item>{t("staysHashes")}</List.Item>
                    <List.Item>{t("staysOpen")}</List.Item>
                    <List.Item>{t("staysTable")}</List.Item>
                </List>
                <Checkbox
                    label={t("eraseRuns")}
                    description={t("eraseRunsHelp")}
                    checked={runs}
                    onChange={(event) => setRuns(event.currentTarget.checked)}
                />
                <TextInput
                    data-autofocus
                    label={asked}
                    value={typed}
                    onChange={(event) => setTyped(event.currentTarget.value)}
                />
            </DialogForm>
        </Modal>
    );
}
