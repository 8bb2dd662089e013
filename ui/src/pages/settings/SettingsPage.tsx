import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { NotAllowed } from "@/components/NotAllowed";
import { Page } from "@/components/Page";
import { PageTabs } from "@/components/PageTabs";
import type { TabProps } from "@/components/tab";
import { allows, useSession } from "@/data/session";
import { useWords } from "@/words";
import { AuditTab } from "./AuditTab";
import { ConnectorsTab } from "./ConnectorsTab";
import { CredentialsTab } from "./CredentialsTab";
import { KeysTab } from "./KeysTab";
import { MembersTab } from "./MembersTab";
import { PeopleTab } from "./PeopleTab";
import { SessionsTab } from "./SessionsTab";
import { TenantsTab } from "./TenantsTab";
import { settingsWords } from "./words";

interface Tab {
    id:
        | "keys"
        | "members"
        | "credentials"
        | "connectors"
        | "people"
        | "tenants"
        | "audit"
        | "sessions";
    scope?: string;
    /** Of the whole service: only for the tenant `default`. */
    service?: boolean;
    view: ComponentType<TabProps>;
}

const all: Tab[] = [
    { id: "keys", scope: "admin", view: KeysTab },
    { id: "members", scope: "admin", view: MembersTab },
    { id: "credentials", scope: "admin", view: CredentialsTab },
    { id: "connectors", scope: "admin", view: ConnectorsTab },
    { id: "people", scope: "admin", view: PeopleTab },
    { id: "tenants", scope: "admin", service: true, view: TenantsTab },
    { id: "audit", scope: "admin", view: AuditTab },
    { id: "sessions", view: SessionsTab },
];

/** Who may do what, with which secrets, and what they did. */
export function SettingsPage() {
    const t = useWords(settingsWords);
    const navigate = useNavigate();
    const { tab, item, by, action } = useSearch({ from: "/shell/settings" });
    const session = useSession((state) => state.session);
    const tabs = all.filter(
        (one) =>
            (!one.scope || allows(session?.scopes ?? [], one.scope)) &&
            (!one.service || session?.tenant === "default"),
    );
    const current = all.find((one) => one.id === tab) ?? tabs[0];
    if (!current) return null;
    const bar = (
        <PageTabs
            label={t("title")}
            to="/settings"
            current={current.id}
            tabs={tabs.map((one) => ({ id: one.id, title: t(one.id) }))}
        />
    );
    // A link of a person who may more.
    if (!tabs.includes(current)) {
        return (
            <Page title={t("title")} bar={bar}>
                <NotAllowed scope={current.scope ?? ""} />
            </Page>
        );
    }
    const View = current.view;
    return (
        <View
            title={t("title")}
            item={item}
            show={(next) =>
                void navigate({
                    to: "/settings",
                    search: {
                        tab: current.id,
                        ...(by ? { by } : {}),
                        ...(action ? { action } : {}),
                        ...(next === undefined ? {} : { item: next }),
                    },
                    replace: next === undefined,
                })
            }
            tabs={bar}
        />
    );
}
