import { Alert, Button, PasswordInput, Text, Title } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import logo from "@/app/pawl.svg";
import { CodeLine } from "@/components/CodeLine";
import { basePath } from "@/data/place";
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

export function SignInPage() {
    const t = useWords(signInWords);
    const navigate = useNavigate();
    const { next } = useSearch({ from: "/sign-in" });
    const session = useSession((state) => state.session);
    const [key, setKey] = useState("");
    const [busy, setBusy] = useState(false);
    const [error, setError] = useState<string>();
    useEffect(() => {
        document.title = `${t("title")}`;
        if (session) void navigate({ to: safeNext(next), replace: true });
    }, [session, next, navigate, t]);
    const submit = async (event: FormEvent) => {
        event.preventDefault();
        setBusy(true);
        setError(undefined);
        try {
            await signIn({ key: key.trim() });
        } catch (cause) {
            setError(cause instanceof Error ? cause.message : String(cause));
        } finally {
            setBusy(false);
        }
    };
    return (
        <main className={classes.page}>
            <form className={classes.card} onSubmit={(event) => void submit(event)}>
                <img src={logo} alt="" width={40} height={40} />
                <Title order={1}>{t("title")}</Title>
                {error && (
                    <Alert color="red" title={t("refused")} w="100%" role="alert">
                        {error}
                    </Alert>
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
                <Button type="submit" size="sm" fullWidth loading={busy}>
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
