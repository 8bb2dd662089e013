import { useLingui } from "@lingui/react";
import {
    Avatar,
    Divider,
    Popover,
    SegmentedControl,
    Text,
    useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconKeyboard, IconLogout, IconSelector } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queryClient, showError } from "@/data/queries";
import { signOut, switchTenant, useSession } from "@/data/session";
import { type Language, languages, setLanguage, useWords } from "@/words";
import { useRoleNames } from "@/words/roles";
import { shellWords } from "@/words/shell";
import classes from "./AccountMenu.module.css";

/** Who is signed in, with the language, the appearance, the keys and the way out. */
export function AccountMenu({ showKeys }: { showKeys: () => void }) {
    const t = useWords(shellWords);
    const role = useRoleNames();
    const { i18n } = useLingui();
    const navigate = useNavigate();
    const session = useSession((state) => state.session);
    const name = session?.name ?? session?.subject ?? "?";
    const { colorScheme, setColorScheme } = useMantineColorScheme();
    const [opened, popover] = useDisclosure();
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
    const then = (act: () => void) => () => {
        popover.close();
        act();
    };
    return (
        <Popover
            opened={opened}
            onChange={(open) => (open ? popover.open() : popover.close())}
            position="top-start"
            width={232}
            trapFocus
            returnFocus
            withRoles={false}
        >
            <Popover.Target>
                <button
                    type="button"
                    className={classes.account}
                    aria-haspopup="dialog"
                    aria-expanded={opened}
                    onClick={popover.toggle}
                >
                    <Avatar size={24} radius={7} name={name} variant="default" />
                    <span className={classes.who}>
                        <span className="truncate" title={session?.subject}>
                            {name}
                        </span>
                        <span className={classes.role}>
                            {[session?.role && role(session.role), session?.tenant]
                                .filter(Boolean)
                                .join(" · ")}
                        </span>
                    </span>
                    <IconSelector size={14} aria-hidden />
                </button>
            </Popover.Target>
            <Popover.Dropdown
                role="dialog"
                aria-label={t("account")}
                className={classes.dropdown ?? ""}
            >
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
                        <Divider my={4} />
                        <fieldset className={classes.tenants}>
                            <legend>{t("tenant")}</legend>
                            {session.tenants.map((one) => (
                                <Choice
                                    key={one.name}
                                    current={one.name === session.tenant}
                                    icon={
                                        <IconCheck
                                            size={15}
                                            opacity={one.name === session.tenant ? 1 : 0}
                                            aria-hidden
                                        />
                                    }
                                    onClick={then(() => void enter(one.name))}
                                >
                                    {one.name}
                                </Choice>
                            ))}
                        </fieldset>
                    </>
                )}
                <Divider my={4} />
                <Choice icon={<IconKeyboard size={15} aria-hidden />} onClick={then(showKeys)}>
                    {t("keys")}
                </Choice>
                <Choice
                    icon={<IconLogout size={15} aria-hidden />}
                    onClick={then(() => void leave())}
                >
                    {t("signOut")}
                </Choice>
            </Popover.Dropdown>
        </Popover>
    );
}

interface ChoiceProps {
    icon: ReactNode;
    current?: boolean;
    onClick: () => void;
    children: ReactNode;
}

function Choice({ icon, current, onClick, children }: ChoiceProps) {
    return (
        <button
            type="button"
            className={classes.item}
            aria-current={current ? "true" : undefined}
            onClick={onClick}
        >
            {icon}
            <span className="truncate">{children}</span>
        </button>
    );
}
