import { Button, Text, Title } from "@mantine/core";
import { type Icon, IconHandStop, IconMail, IconPlayerPlay } from "@tabler/icons-react";
import { CodeLine } from "@/components/CodeLine";
import { useDemo } from "@/components/DemoButton";
import { howToRun } from "@/components/howTo";
import { type Demo, hello } from "@/data/demos";
import { useWords } from "@/words";
import { commonWords } from "@/words/common";
import classes from "./HomePage.module.css";
import { homeWords } from "./words";

const icons = {
    hello: IconPlayerPlay,
    approval: IconHandStop,
    journey: IconMail,
} satisfies Partial<Record<Demo, Icon>>;

/** Nothing ran here yet: three demos, each a press of a button away. */
export function FirstStart() {
    const t = useWords(homeWords);
    const common = useWords(commonWords);
    const demos = useDemo();
    const reason = (name: Demo) => {
        if (!demos.allowed(name)) return t("mayNot");
        return demos.lacksSandbox(name) ? t("journeyNeeds") : undefined;
    };
    return (
        <section className={classes.first} aria-labelledby="first-title">
            <Title order={2} id="first-title">
                {t("firstTitle")}
            </Title>
            <Text c="dimmed">{t("firstText")}</Text>
            <div className={classes.demos}>
                {(Object.keys(icons) as (keyof typeof icons)[]).map((name) => {
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
                                loading={demos.running === name}
                                onClick={() => demos.run(name)}
                                aria-label={`${t("start")}: ${t(name)}`}
                            >
                                {t("start")}
                            </Button>
                        </article>
                    );
                })}
            </div>
            <CodeLine label={common("emptyCommand")} text={howToRun(hello).command} />
        </section>
    );
}
