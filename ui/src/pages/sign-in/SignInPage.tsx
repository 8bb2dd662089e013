import { Alert, Button, Divider, PasswordInput, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import logo from "@/app/pawl.svg";
import { CodeLine } from "@/components/CodeLine";
import { api, call } from "@/data/api";
import { basePath, baseUrl } from "@/data/place";
import { queryClient } from "@/data/queries";
import { signIn, useSession } from "@/data/session";
import { useWords } from "@/words";
import classes from "./SignInPage.module.css";
import { signInWords } from "./words";

/** Only places of this application: a link must not lead elsewhere after signing in. */
export function safeNext(next: string | undefined): string {
    if (!next?.startsWith("/") || next.startsWith("//") || next.includes("\\")) return "/";
    const own = next.startsWith(basePath) ? next.slice(basePath.length - 1) : next;
    return own.startsWith("/sign-in") ? "/" : own;
}

/** The identity provider that people sign in by; none: only keys open this server. */
function useProvider(): string | undefined {
    const { data } = useQuery({
        queryKey: ["provider"],
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: ({ signal }) => call(api.GET("/v1/session/oidc", { signal })),
    });
    if (!data?.enabled || !data.issuer) return undefined;
    return URL.canParse(data.issuer) ? new URL(data.issuer).host : data.issuer;
}

interface Refusal {
    title: string;
    text: string;
}

export function SignInPage() {
    const t = useWords(signInWords);
    const navigate = useNavigate();
    const { next } = useSearch({ from: "/sign-in" });
    const { session, why } = useSession();
    const provider = useProvider();
    const [key, setKey] = useState("");
    const [busy, setBusy] = useState(false);
    const [refusal, setRefusal] = useState<Refusal>();
    useEffect(() => {
        document.title = `${t("title")}`;
        if (session) void navigate({ to: safeNext(next), replace: true });
    }, [session, next, navigate, t]);
    const submit = async (event: FormEvent) => {
        event.preventDefault();
        setBusy(true);
        setRefusal(undefined);
        try {
            // What was read belongs to who was here before.
            queryClient.clear();
            await signIn({ key: key.trim() });
        } catch (cause) {
            // The browser's own error: nothing answered.
            if (cause instanceof TypeError) setRefusal({ title: t("gone"), text: t("goneHelp") });
            else setRefusal({ title: t("refused"), text: String((cause as Error).message) });
        } finally {
            setBusy(false);
        }
    };
    return (
        <main className={classes.page}>
            <form className={classes.card} onSubmit={(event) => void submit(event)}>
                <img src={logo} alt="" width={40} height={40} />
                <Title order={1}>{t("title")}</Title>
                {refusal && (
                    <Alert color="red" title={refusal.title} w="100%" role="alert">
                        {refusal.text}
                    </Alert>
                )}
                {why && !refusal && (
                    <Alert color="blue" w="100%" role="status">
                        {t(why)}
                    </Alert>
                )}
                {provider && (
                    <>
                        <Button
                            component="a"
                            href={`${baseUrl}/v1/session/oidc/start?return=${encodeURIComponent(safeNext(next))}`}
                            size="sm"
                            fullWidth
                        >
                            {t("byProvider", { provider })}
                        </Button>
                        <Divider label={t("orKey")} w="100%" />
                    </>
                )}
                <PasswordInput
                    w="100%"
                    size="sm"
                    label={t("key")}
                    placeholder="pawl_…"
                    description={t("help")}
                    value={key}
                    onChange={(event) => setKey(event.currentTarget.value)}
                    autoComplete="current-password"
                    autoFocus
                    required
                    withAsterisk={false}
                />
                <Button
                    type="submit"
                    size="sm"
                    fullWidth
                    loading={busy}
                    variant={provider ? "default" : "filled"}
                >
                    {t("button")}
                </Button>
                <div className={classes.help}>
                    <Text size="xs" c="dimmed" mb={4}>
                        {t("noKey")}
                    </Text>
                    <CodeLine text="pawl keys create --name me --scope admin" />
                </div>
            </form>
        </main>
    );
}
