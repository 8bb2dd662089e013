import { Button, Menu } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Time } from "@/components/Time";
import { api, call, type Schemas } from "@/data/api";
import { useMay } from "@/data/session";
import { useWords } from "@/words";
import { workflowsWords } from "../words";

/** What people are writing, and have not published yet. */
export function Drafts() {
    const t = useWords(workflowsWords);
    const navigate = useNavigate();
    const may = useMay("workflows:write");
    const { data } = useQuery({
        queryKey: ["drafts"],
        enabled: may,
        queryFn: async ({ signal }) =>
            (await call(api.GET("/v1/drafts", { signal }))).data as Schemas["WorkflowDraft"][],
    });
    if (!data || data.length === 0) return null;
    return (
        <Menu position="bottom-end" width={280}>
            <Menu.Target>
                <Button variant="default" leftSection={<IconPencil size={14} />}>
                    {t("drafts", { count: data.length })}
                </Button>
            </Menu.Target>
            <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
                {data.map((one) => (
                    <Menu.Item
                        key={one.name}
                        rightSection={<Time at={one.updated_at} form="ago" />}
                        onClick={() =>
                            navigate({ to: "/workflows/$name/edit", params: { name: one.name } })
                        }
                    >
                        <span className="truncate">{one.name}</span>
                    </Menu.Item>
                ))}
            </Menu.Dropdown>
        </Menu>
    );
}
