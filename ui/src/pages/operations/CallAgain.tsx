import { IconPlugConnectedX } from "@tabler/icons-react";
import { Deed } from "@/components/Deed";
import { ApiError, api, call } from "@/data/api";
import { useWords } from "@/words";
import { targetWords } from "./wordsTarget";

interface Props {
    target: string;
    disabled?: boolean;
    variant?: "default" | "filled";
}

/** No worker leaves it alone any more: it is called again, as was asked. */
function unlessCalled(error: unknown): void {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Lets all workers call a target again that they leave alone. */
export function CallAgain({ target, disabled = false, variant = "default" }: Props) {
    const t = useWords(targetWords);
    const body = { target };
    return (
        <Deed
            label={t("callAgain")}
            icon={<IconPlugConnectedX size={14} />}
            says={t("callAgainSays", { target })}
            disabled={disabled}
            variant={variant}
            copy={{ curl: "/v1/targets/close", method: "POST", body }}
            run={() => call(api.POST("/v1/targets/close", { body })).catch(unlessCalled)}
            done={t("calledAgain")}
            changes={[["targets"]]}
        />
    );
}
