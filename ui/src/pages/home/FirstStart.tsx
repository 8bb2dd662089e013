import { Button, Text, Title } from "@mantine/core";
import { type Icon, IconHandStop, IconMail, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CodeLine } from "@/components/CodeLine";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import { type Demo, hasSandbox, runDemo } from "./demos";
import classes from "./HomePage.module.css";
import { homeWords } from "./words";

const icons: Record<Demo, Icon> = {
    hello: IconPlayerPlay,
    approval: IconHandStop,
    journey: IconMail,
};

/** Nothing ran here yet: three demos, each a press of a button away. */
export function FirstStart() {
    const t = useWords(homeWords);
    const common = useWords(commonWords);
    const navigate = useNavigate();
    const may = [useMay("workflows:write"), useMay("runs:write")].every(Boolean);
    const admin = useMay("admin");
    const sandbox = useQuery({ queryKey: ["sandbox", "there"], queryFn: hasSandbox });
    const demo = useAct({
        run: runDemo,
        changes: [["runs"], ["workflows"], ["overview"], ["people"]],
        onDone: (id) => void navigate({ to: "/runs/$id", params: { id } }),
    });
    const reason = (name: Demo) => {
        if (!may || (name === "journey" && !admin)) return t("mayNot");
        return name === "journey" && sandbox.data === false ? t("journeyNeeds") : undefined;
    };
    return (
        <section className={classes.first} aria-labelledby="first-title">
            <Title order={2} id="first-title">
                {t("firstTitle")}
            </Title>
            <Text c="dimmed">{t("firstText")}</Text>
            <div className={classes.demos}>
                {(Object.keys(icons) as Demo[]).map((name) => {
                    const Icon = icons[name];
                    const why = reason(name);
                    return (
                        <article key={name} className={classes.demo}>
                            <Icon size={22} stroke={1.5} aria-hidden />
                            <Title order={3}>{t(name)}</Title>
                            <Text c="dimmed">{t(`${name}Text`)}</Text>
                            {why && <Text size="xs">{why}</Text>}
                            <Button
                                disabled={why !== undefined}
                                loading={demo.isPending && demo.variables === name}
                                onClick={() => demo.mutate(name)}
                                aria-label={`${t("start")}: ${t(name)}`}
                            >
                                {t("start")}
                            </Button>
                        </article>
                    );
                })}
            </div>
            <CodeLine label={common("emptyCommand")} text="pawl run hello --wait" />
        </section>
    );
}
