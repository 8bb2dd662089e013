import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Demo, hasSandbox, runDemo } from "@/data/demos";
import { useAct } from "@/data/queries";
import { useMay } from "@/data/session";

/** Runs a demo and goes to its run; and which of them this person can run here. */
export function useDemo() {
    const navigate = useNavigate();
    const may = [useMay("workflows:write"), useMay("runs:write")].every(Boolean);
    const admin = useMay("admin");
    const sandbox = useQuery({ queryKey: ["sandbox", "there"], queryFn: hasSandbox });
    const demo = useAct({
        run: runDemo,
        changes: [["runs"], ["workflows"], ["overview"], ["people"]],
        onDone: (id) => void navigate({ to: "/runs/$id", params: { id } }),
    });
    return {
        /** The message goes to the sandbox, by an account there. */
        allowed: (name: Demo) => may && (name !== "journey" || admin),
        lacksSandbox: (name: Demo) => name === "journey" && sandbox.data === false,
        running: demo.isPending ? demo.variables : undefined,
        run: demo.mutate,
    };
}

interface Props {
    demo: Demo;
    children: ReactNode;
}

/** The button of an empty list that fills it; not there for who may not, or where it cannot work. */
export function DemoButton({ demo, children }: Props) {
    const { allowed, lacksSandbox, running, run } = useDemo();
    if (!allowed(demo) || lacksSandbox(demo)) return null;
    return (
        <Button variant="light" loading={running === demo} onClick={() => run(demo)}>
            {children}
        </Button>
    );
}
