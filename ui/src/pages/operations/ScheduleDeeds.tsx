import { TextInput } from "@mantine/core";
import { IconBolt, IconHistory, IconPlayerStop } from "@tabler/icons-react";
import { useState } from "react";
import { Deed } from "@/components/Deed";
import { api, call, type Schemas } from "@/data/api";
import { useWords } from "@/words";
import { operationsWords } from "./words";

interface Props {
    schedule: Schemas["Schedule"];
}

/** Starts a run now, whatever the clock says. */
export function FireDeed({ schedule }: Props) {
    const t = useWords(operationsWords);
    const { id } = schedule;
    return (
        <Deed
            label={t("fire")}
            icon={<IconBolt size={14} />}
            says={t(schedule.audience ? "fireAudienceSays" : "fireSays", {
                workflow: schedule.workflow,
            })}
            copy={{
                curl: `/v1/schedules/${id}/trigger`,
                method: "POST",
                cli: `schedules trigger ${id}`,
            }}
            run={() =>
                call(api.POST("/v1/schedules/{id}/trigger", { params: { path: { id } }, body: {} }))
            }
            done={t("firedNow")}
            changes={[["schedules"], ["jobs"]]}
        />
    );
}

const moment = (text: string) => {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

/** Starts the runs of slots that have passed. */
export function BackfillDeed({ schedule }: Props) {
    const t = useWords(operationsWords);
    const [from, setFrom] = useState("");
    const [to, setTo] = useState("");
    const { id } = schedule;
    const begin = moment(from);
    const end = moment(to);
    const body = { from: begin ?? "", ...(end ? { to: end } : {}) };
    return (
        <Deed
            label={t("backfill")}
            icon={<IconHistory size={14} />}
            says={t("backfillSays")}
            ready={begin !== undefined && (to === "" || end !== undefined)}
            copy={{
                curl: `/v1/schedules/${id}/backfill`,
                method: "POST",
                body,
                cli: `schedules backfill ${id} --from ${body.from}${end ? ` --to ${end}` : ""}`,
            }}
            run={() =>
                call(api.POST("/v1/schedules/{id}/backfill", { params: { path: { id } }, body }))
            }
            done={t("backfillBegun")}
            changes={[["schedules"]]}
        >
            <TextInput
                data-autofocus
                type="datetime-local"
                label={t("from")}
                description={t("yourZone")}
                value={from}
                onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
                type="datetime-local"
                label={t("to")}
                description={t("toNow")}
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
            />
        </Deed>
    );
}

export function StopBackfillDeed({ schedule }: Props) {
    const t = useWords(operationsWords);
    const { id } = schedule;
    return (
        <Deed
            label={t("stopBackfill")}
            icon={<IconPlayerStop size={14} />}
            says={t("stopBackfillSays")}
            copy={{
                curl: `/v1/schedules/${id}/backfill/cancel`,
                method: "POST",
                cli: `schedules backfill ${id} --cancel`,
            }}
            run={() =>
                call(api.POST("/v1/schedules/{id}/backfill/cancel", { params: { path: { id } } }))
            }
            done={t("backfillStopped")}
            changes={[["schedules"]]}
        />
    );
}
