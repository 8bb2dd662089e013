import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { RunLink } from "@/components/RunLink";
import { api, call, type Schemas } from "@/data/api";
import { today } from "@/data/clock";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type Action, actions, fitting } from "./actions";
import { BulkSettle, type Outcome } from "./BulkSettle";
import { type Filter, toQuery } from "./filter";
import { JobProgress } from "./JobProgress";
import { runsWords } from "./words";

interface Props {
    filter: Filter;
    /** The action that is offered first. */
    first?: Action;
    close: () => void;
}

/** Changes all runs that match the filters, as a job of the server: first says what it would do. */
export function BulkDialog({ filter, first = "retry", close }: Props) {
    const t = useWords(runsWords);
    const c = useWords(commonWords);
    const [action, setAction] = useState<Action>(first);
    const [reason, setReason] = useState("");
    const [outcome, setOutcome] = useState<Outcome>({ node: "", as: "completed" });
    const [job, setJob] = useState<string>();
    const [conditions] = useState(() => toQuery(filter, today()));
    const whole = Object.keys(conditions).length === 0;
    // The server refuses a status that the action is not for; the others are meant.
    const status = fitting(action, conditions.status).join(",");
    const narrowed = conditions.status === undefined || status === "" ? {} : { status };
    const body = (dry: boolean): Schemas["BulkRuns"] => ({
        action,
        ...(whole ? { all: true } : { filter: { ...conditions, ...narrowed } }),
        ...(dry ? { dry_run: true } : {}),
        ...(reason && (action === "cancel" || action === "pause") ? { reason } : {}),
        ...(action === "settle" ? outcome : {}),
    });
    const unsaid = action === "settle" && outcome.node === "";
    const check = useAct<void, Schemas["BulkPreview"]>({
        run: async () =>
            (await call(api.POST("/v1/runs/bulk", { body: body(true) }))) as Schemas["BulkPreview"],
    });
    const start = useAct<void, Schemas["Job"]>({
        run: async () =>
            (await call(api.POST("/v1/runs/bulk", { body: body(false) }))) as Schemas["Job"],
        onDone: (made) => setJob(made.id),
    });
    const preview = check.data;
    return (
        <Modal opened onClose={close} title={t("bulkTitle")}>
            {job ? (
                <JobProgress id={job} close={close} />
            ) : (
                <Stack gap="sm">
                    <Text c="dimmed" className="mono">
                        {Object.entries(filter)
                            .map(([key, value]) => `${key}:${value}`)
                            .join(" ")}
                    </Text>
                    {whole && (
                        <Alert color="yellow" icon={<IconAlertTriangle size={16} />}>
                            {t("noCondition")}
                        </Alert>
                    )}
                    <Select
                        label={t("action")}
                        data={actions.map((value) => ({ value, label: t(value) }))}
                        value={action}
                        allowDeselect={false}
                        onChange={(value) => {
                            setAction(value as Action);
                            check.reset();
                        }}
                    />
                    {(action === "cancel" || action === "pause") && (
                        <TextInput
                            label={c("reason")}
                            description={c("reasonHelp")}
                            value={reason}
                            maxLength={1000}
                            onChange={(event) => setReason(event.currentTarget.value)}
                        />
                    )}
                    {action === "settle" && (
                        <BulkSettle
                            value={outcome}
                            onChange={(value) => {
                                setOutcome(value);
                                check.reset();
                            }}
                        />
                    )}
                    {preview && (
                        <Alert color={preview.total > 0 ? "blue" : "gray"} role="status">
                            <Text fw={500}>
                                {preview.complete
                                    ? t("would", { count: preview.total })
                                    : t("wouldMore", { count: preview.total })}
                            </Text>
                            {preview.sample.length > 0 && (
                                <Text size="xs" c="dimmed">
                                    {t("examples")}{" "}
                                    {preview.sample.slice(0, 3).map((id) => (
                                        <span key={id}>
                                            <RunLink id={id} />{" "}
                                        </span>
                                    ))}
                                </Text>
                            )}
                        </Alert>
                    )}
                    <Group justify="flex-end">
                        <Button variant="default" onClick={close}>
                            {c("close")}
                        </Button>
                        {preview ? (
                            <Button
                                color={action === "cancel" ? "red" : "pawl"}
                                disabled={preview.total === 0}
                                loading={start.isPending}
                                onClick={() => start.mutate()}
                            >
                                {t("doIt", { count: preview.total })}
                            </Button>
                        ) : (
                            <Button
                                disabled={unsaid}
                                loading={check.isPending}
                                onClick={() => check.mutate()}
                            >
                                {t("check")}
                            </Button>
                        )}
                    </Group>
                </Stack>
            )}
        </Modal>
    );
}
