import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { shellWord } from "@/components/command";
import { FormDialog } from "@/components/FormDialog";
import { api, call, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { settingsWords } from "./words";

type Tenant = Schemas["Tenant"];

export const limits = ["open_runs_max", "starts_per_second_max", "payload_bytes_max"] as const;

const flags: Record<string, string> = {
    open_runs_max: "--open-runs",
    starts_per_second_max: "--starts",
    payload_bytes_max: "--payload-bytes",
};

export function LimitsDialog({ tenant, close }: { tenant: Tenant; close: () => void }) {
    const t = useWords(settingsWords);
    const c = useWords(commonWords);
    const [values, setValues] = useState<Record<string, number | string>>(
        Object.fromEntries(limits.map((id) => [id, tenant[id] ?? ""])),
    );
    const body = Object.fromEntries(
        limits.filter((id) => values[id] !== "").map((id) => [id, Number(values[id])]),
    );
    const { name } = tenant;
    const options = Object.entries(body).map(([id, value]) => `${flags[id]} ${value}`);
    const act = useAct<void>({
        run: () => call(api.PUT("/v1/tenants/{name}", { params: { path: { name } }, body })),
        done: t("limitsSaved"),
        changes: [["tenants"]],
        onDone: close,
    });
    return (
        <FormDialog
            title={t("changeLimits")}
            says={t("limitsSays")}
            submit={c("save")}
            ready
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{
                curl: `/v1/tenants/${encodeURIComponent(name)}`,
                method: "PUT",
                body,
                cli: ["tenants limit", shellWord(name), ...options].join(" "),
            }}
        >
            {limits.map((id) => (
                <NumberInput
                    key={id}
                    label={t(id)}
                    placeholder={t("noLimit")}
                    min={1}
                    max={2_147_483_647}
                    allowDecimal={false}
                    value={values[id] ?? ""}
                    onChange={(value) => setValues({ ...values, [id]: value })}
                />
            ))}
        </FormDialog>
    );
}
