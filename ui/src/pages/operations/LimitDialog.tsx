import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "@/components/FormDialog";
import { api, call, type Schemas } from "@/data/api";
import { useAct } from "@/data/queries";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { asCli, bodyOf, nameOf } from "./limits";
import { operationsWords } from "./words";

type Limit = Schemas["Limit"];

export function LimitDialog({ limit, close }: { limit: Limit; close: () => void }) {
    const t = useWords(operationsWords);
    const c = useWords(commonWords);
    const [value, setValue] = useState<number | string>(limit.limit);
    const body = bodyOf(limit, Number(value));
    const act = useAct<void>({
        run: () => call(api.POST("/v1/limits", { body })),
        done: t("limitSet"),
        changes: [["limits"]],
        onDone: close,
    });
    return (
        <FormDialog
            title={t("setLimit")}
            says={t("setLimitSays")}
            submit={c("save")}
            ready={value !== "" && Number(value) >= 0}
            pending={act.isPending}
            onSubmit={() => act.mutate()}
            close={close}
            copy={{ curl: "/v1/limits", method: "POST", body, cli: asCli(limit, Number(value)) }}
        >
            <NumberInput
                data-autofocus
                label={nameOf(limit)}
                min={0}
                max={1_000_000}
                allowDecimal={false}
                value={value}
                onChange={setValue}
            />
        </FormDialog>
    );
}
