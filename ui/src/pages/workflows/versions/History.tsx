import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Time } from "@/components/Time";
import { api, call } from "@/data/api";
import { useWords } from "@/words";
import classes from "./Versions.module.css";
import { versionWords } from "./words";

type Did = (typeof versionWords.keys)[number];

/** What was done to the versions, newest first. */
export function History({ name }: { name: string }) {
    const t = useWords(versionWords);
    const { data } = useQuery({
        queryKey: ["workflows", name, "changes"],
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/workflows/{name}/changes", {
                    params: { path: { name }, query: { limit: 30 } },
                    signal,
                }),
            ),
    });
    const didOf = (action: string) => {
        const key = `did_${action}`;
        return versionWords.keys.includes(key as Did) ? t(key as Did) : action;
    };
    if (!data || data.data.length === 0) return null;
    return (
        <div className={classes.history}>
            <Title order={2}>{t("history")}</Title>
            {data.data.map((one, index) => (
                <div key={`${one.at} ${index}`} className={classes.past}>
                    <Time at={one.at} form="ago" />
                    <span>{didOf(one.action)}</span>
                    <span className="numbers">{t("version", { version: one.version })}</span>
                    {one.by && <span>{t("byWhom", { by: one.by })}</span>}
                </div>
            ))}
        </div>
    );
}
