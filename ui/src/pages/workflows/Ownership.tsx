import { Button, Text, TextInput } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { FormDialog } from "@/components/FormDialog";
import { Time } from "@/components/Time";
import { request } from "@/data/api";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { pathOf, type Workflow } from "./data";
import { workflowsWords } from "./words";

/** Who answers for a workflow, and who changed it last. */
export function Ownership({ workflow }: { workflow: Workflow }) {
    const t = useWords(workflowsWords);
    const may = useMay("workflows:write");
    const [asked, setAsked] = useState(false);
    return (
        <>
            {may ? (
                <Button
                    variant="subtle"
                    size="compact-xs"
                    maw={220}
                    flex="0 1 auto"
                    title={workflow.owner ?? t("ownerNone")}
                    leftSection={<IconUser size={13} />}
                    aria-label={t("ownerOf", { owner: workflow.owner ?? t("ownerNone") })}
                    onClick={() => setAsked(true)}
                >
                    <Text span inherit truncate visibleFrom="sm">
                        {workflow.owner ?? t("ownerNone")}
                    </Text>
                </Button>
            ) : (
                workflow.owner && (
                    <Text size="sm" truncate maw={220} title={workflow.owner}>
                        {workflow.owner}
                    </Text>
                )
            )}
            {workflow.changed_by && workflow.changed_at && (
                <Text size="xs" c="dimmed" visibleFrom="md" className="truncate">
                    {t("changedBy", { by: workflow.changed_by })}{" "}
                    <Time at={workflow.changed_at} form="ago" />
                </Text>
            )}
            {asked && <OwnerDialog workflow={workflow} close={() => setAsked(false)} />}
        </>
    );
}

function OwnerDialog({ workflow, close }: { workflow: Workflow; close: () => void }) {
    const t = useWords(workflowsWords);
    const [owner, setOwner] = useState(workflow.owner ?? "");
    const path = `${pathOf(workflow.name)}/owner`;
    const body = { owner: owner.trim() || null };
    const save = useAct<void, unknown>({
        run: () => request("PUT", path, body),
        done: t("ownerSaved"),
        changes: [["workflows"]],
        onDone: close,
    });
    return (
        <FormDialog
            title={t("owner")}
            says={t("ownerHelp")}
            submit={t("ownerSave")}
            ready={owner.trim() !== (workflow.owner ?? "")}
            pending={save.isPending}
            onSubmit={() => save.mutate()}
            close={close}
            copy={{
                curl: path,
                method: "PUT",
                body,
                cli: `workflows owner ${workflow.name} ${body.owner ? shellWord(body.owner) : "--clear"}`,
            }}
        >
            <TextInput
                label={t("owner")}
                placeholder={t("ownerExample")}
                maxLength={200}
                value={owner}
                onChange={(event) => setOwner(event.currentTarget.value)}
                data-autofocus
            />
        </FormDialog>
    );
}
