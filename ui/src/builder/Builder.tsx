import { ActionIcon, Button, Group, Tooltip } from "@mantine/core";
import {
    IconArrowBackUp,
    IconArrowForwardUp,
    IconLayoutDistributeVertical,
} from "@tabler/icons-react";
import { ReactFlowProvider } from "@xyflow/react";
import { type ReactNode, useMemo, useState } from "react";
import { useWords } from "@/words";
import classes from "./Builder.module.css";
import { Canvas } from "./Canvas";
import { ProblemList } from "./ProblemList";
import { StepForm } from "./StepForm";
import { StepList } from "./StepList";
import { BuilderContext, type BuilderStore, useDraft } from "./store";
import { TextPanel } from "./TextPanel";
import { ToolsContext, type Types } from "./types";
import { useEditing } from "./useEditing";
import { useProblems } from "./useProblems";
import { WorkflowForm } from "./WorkflowForm";
import { builderWords } from "./words";

interface Props {
    store: BuilderStore;
    types: Types;
    /** The workflow is not published yet: its name can still be chosen. */
    fresh: boolean;
    /** The text beside the graph is shown. */
    text: boolean;
    /** The frame around, which gets the tools and the number of problems. */
    children: (tools: ReactNode, problems: number, checking: boolean, body: ReactNode) => ReactNode;
}

function Inner({ types, fresh, text, children }: Omit<Props, "store">) {
    const t = useWords(builderWords);
    const draft = useDraft();
    const [selected, select] = useState<string[]>([]);
    const [edge, selectEdge] = useState<string>();
    const { problems, checking } = useProblems(draft.definition);
    const editing = useEditing(types, { selected, select, edge, selectEdge });
    const { history, add } = editing;
    // biome-ignore lint/correctness/useExhaustiveDependencies: add reads what is current
    const tools = useMemo(() => ({ types, add }), [types, selected]);
    const node =
        selected.length === 1
            ? draft.definition.nodes.find((one) => one.id === selected[0])
            : undefined;
    const pick = (id: string | undefined) => {
        select(id ? [id] : []);
        if (id) editing.centre(id);
    };
    const tool = (label: string, icon: ReactNode, run: () => void, disabled = false) => (
        <Tooltip label={label}>
            <ActionIcon variant="default" aria-label={label} onClick={run} disabled={disabled}>
                {icon}
            </ActionIcon>
        </Tooltip>
    );
    const bar = (
        <Group gap={4}>
            {tool(t("undo"), <IconArrowBackUp size={16} />, history.undo, history.past === 0)}
            {tool(t("redo"), <IconArrowForwardUp size={16} />, history.redo, history.future === 0)}
            {tool(t("tidy"), <IconLayoutDistributeVertical size={16} />, editing.arrange)}
            {selected.length + (edge ? 1 : 0) > 0 && (
                <Button variant="default" color="red" onClick={editing.remove}>
                    {t("remove")}
                </Button>
            )}
        </Group>
    );
    const body = (
        <ToolsContext.Provider value={tools}>
            <div className={classes.builder}>
                <aside className={classes.palette} aria-label={t("add")}>
                    <StepList
                        draggable
                        height="calc(100vh - 180px)"
                        onPick={(type) => add(type, {})}
                    />
                </aside>
                <div className={classes.middle}>
                    <div className={classes.work}>
                        <Canvas
                            problems={problems}
                            selected={selected}
                            onSelect={select}
                            edge={edge}
                            onSelectEdge={selectEdge}
                        />
                        {text && <TextPanel />}
                    </div>
                    <ProblemList problems={problems} checking={checking} onPick={pick} />
                </div>
                <aside className={classes.form} aria-label={node ? t("step") : t("workflow")}>
                    {node ? (
                        <StepForm
                            key={node.id}
                            node={node}
                            problems={problems.filter((one) => one.node === node.id)}
                            onRename={(id) => select([id])}
                        />
                    ) : (
                        <WorkflowForm fresh={fresh} />
                    )}
                </aside>
            </div>
        </ToolsContext.Provider>
    );
    return children(bar, problems.length, checking, body);
}

/** Draws a workflow: steps from the palette, their settings, what is wrong, the same as text. */
export function Builder({ store, ...rest }: Props) {
    return (
        <BuilderContext.Provider value={store}>
            <ReactFlowProvider>
                <Inner {...rest} />
            </ReactFlowProvider>
        </BuilderContext.Provider>
    );
}
