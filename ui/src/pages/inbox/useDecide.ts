import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { request } from "@/data/api";
import { ApiError } from "@/data/error";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import type { Place } from "@/words/problem";
import { decided, type Task } from "./data";
import { membersOf } from "./members";
import { inboxWords } from "./words";

const root = "/data/";

/** What the server refused in the fields of a form, and is said there. */
export function useWrongPlaces(form: unknown, data: unknown) {
    const t = useWords(inboxWords);
    const [wrong, setWrong] = useState<Place[]>([]);
    const refused = (error: Error) => {
        if (!(error instanceof ApiError) || error.errors.length === 0) return false;
        const names = new Set(membersOf(form, data)?.map(([name]) => name));
        const hasField = ({ pointer = "" }: Place) => {
            const [name = ""] = pointer.slice(root.length).split("/");
            return (
                pointer.startsWith(root) &&
                names.has(name.replaceAll("~1", "/").replaceAll("~0", "~"))
            );
        };
        if (!error.errors.every(hasField)) return false;
        setWrong(
            error.errors.map((one) => ({
                ...one,
                pointer: one.pointer!.slice(root.length - 1),
            })),
        );
        notifications.show({
            color: "red",
            message: t("wrongFields", { count: error.errors.length }),
        });
        return true;
    };
    const changed = (pointer: string) => {
        const below = (one: Place) =>
            one.pointer === pointer || one.pointer?.startsWith(`${pointer}/`);
        setWrong((old) => (old.some(below) ? old.filter((one) => !below(one)) : old));
    };
    return { wrong, refused, changed, forget: () => setWrong([]) };
}

/** What can be done to a task. */
export function useDecide(task: Task, refused: (error: Error) => boolean) {
    const t = useWords(inboxWords);
    const path = `/v1/tasks/${task.id}`;
    const act = (action: string, done: string) => ({
        run: (body: object) => decided(task.id, request<Task>("POST", `${path}/${action}`, body)),
        done,
        changes: [["tasks"], ["overview"]],
    });
    return {
        approve: useAct({
            ...act("approve", ""),
            done: (after: Task) => (after.state === "open" ? t("voted") : t("approved")),
            refused,
        }),
        reject: useAct({
            ...act("reject", ""),
            done: (after: Task) => (after.state === "open" ? t("voted") : t("rejected")),
        }),
        claim: useAct(act("claim", "")),
        unclaim: useAct(act("unclaim", "")),
        delegate: useAct({
            ...act("delegate", ""),
            done: (_: Task, body: object) => t("delegated", { to: (body as { to: string }).to }),
        }),
    };
}
