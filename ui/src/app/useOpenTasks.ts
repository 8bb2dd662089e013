import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "@/data/api";
import { useLiveEvents } from "@/data/live";
import { queryClient } from "@/data/queries";
import { useMay } from "@/data/session";
import { touchesTasks } from "@/data/taskEvents";
import { useTaskNotices } from "./taskNotices";

const key = ["tasks", "count"];
const most = 99;

/** How many tasks are open, as far as a badge needs to know. */
export function useOpenTasks(): { count: number; more: boolean } {
    const may = useMay("tasks:read");
    const { data } = useQuery({
        queryKey: key,
        enabled: may,
        refetchInterval: 60_000,
        queryFn: ({ signal }) =>
            call(
                api.GET("/v1/tasks", { params: { query: { state: "open", limit: most } }, signal }),
            ),
    });
    useLiveEvents((events) => {
        if (touchesTasks(events, data?.data as { run_id: string }[] | undefined)) {
            void queryClient.invalidateQueries({ queryKey: key });
        }
    });
    const navigate = useNavigate();
    useTaskNotices(data?.data as { id: string; title: string }[] | undefined, (task) => {
        void navigate({ to: "/inbox", search: { task } });
    });
    return { count: data?.data?.length ?? 0, more: data?.has_more ?? false };
}
