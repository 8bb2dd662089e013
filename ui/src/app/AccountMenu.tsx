import { useLingui } from "@lingui/react";
import { Avatar, Menu, SegmentedControl, Text, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconKeyboard, IconLogout, IconSelector } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { queryClient, showError } from "@/data/queries";
import { signOut, switchTenant, useSession } from "@/data/session";
import { type Language, languages, setLanguage, useWords } from "@/words";
import { shellWords } from "@/words/shell";
import classes from "./AccountMenu.module.css";

/** Who is signed in, with the language, the appearance, the keys and the way out. */
export function AccountMenu({ showKeys }: { showKeys: () => void }) {
    const t = useWords(shellWords);
    const { i18n } = useLingui();
    const navigate = useNavigate();
    const session = useSession((state) => state.session);
    const { colorScheme, setColorScheme } = useMantineColorScheme();
    const leave = async () => {
        await signOut();
        queryClient.clear();
        await navigate({ to: "/sign-in", search: {} });
    };
    const enter = async (tenant: string) => {
        try {
            await switchTenant(tenant);
        } catch (error) {
            showError(error);
            return;
        }
        // What was read belongs to another tenant.
        queryClient.clear();
        await navigate({ to: "/" });
    };
    return (
        <Menu position="top-start" width={232}>
            <Menu.Target>
                <button type="button" className={classes.account}>
                    <Avatar size={24} radius={7} name={session?.subject ?? "?"} variant="default" />
                    <span className={classes.who}>
                        <span className="truncate">{session?.subject}</span>
                        <span className={classes.role}>
                            {[session?.role, session?.tenant].filter(Boolean).join(" · ")}
                        </span>
                    </span>
                    <IconSelector size={14} aria-hidden />
                </button>
            </Menu.Target>
            <Menu.Dropdown>
                <div className={classes.choice}>
                    <Text size="xs" c="dimmed">
                        {t("theme")}
                    </Text>
                    <SegmentedControl
                        fullWidth
                        aria-label={t("theme")}
                        value={colorScheme}
                        onChange={(value) => setColorScheme(value as "light" | "dark" | "auto")}
                        data={[
                            { value: "light", label: t("light") },
                            { value: "dark", label: t("dark") },
                            { value: "auto", label: t("auto") },
                        ]}
                    />
                </div>
                <div className={classes.choice}>
                    <Text size="xs" c="dimmed">
                        {t("language")}
                    </Text>
                    <SegmentedControl
                        fullWidth
                        aria-label={t("language")}
                        value={i18n.locale}
                        onChange={(value) => setLanguage(value as Language)}
                        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
                    />
                </div>
                {session && session.tenants.length > 1 && (
                    <>
                        <Menu.Divider />
                        <Menu.Label>{t("tenant")}</Menu.Label>
                        {session.tenants.map((one) => (
                            <Menu.Item
                                key={one.name}
                                leftSection={
                                    <IconCheck
                                        size={15}
                                        opacity={one.name === session.tenant ? 1 : 0}
                                        aria-hidden
                                    />
                                }
                                aria-current={one.name === session.tenant}
                                onClick={() => void enter(one.name)}
                            >
                                {one.name}
                            </Menu.Item>
                        ))}
                    </>
                )}
                <Menu.Divider />
                <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={showKeys}>
                    {t("keys")}
                </Menu.Item>
                <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void leave()}>
                    {t("signOut")}
                </Menu.Item>
            </Menu.Dropdown>
        </Menu>
    );
}
