import { ReactFlowProvider } from "@xyflow/react";
import { type ReactNode, useCallback, useState } from "react";
import { useWords } from "@/words";
import { AddDialog, type Offer } from "./AddDialog";
import classes from "./Builder.module.css";
import { Canvas } from "./Canvas";
import { ConnectDialog } from "./ConnectDialog";
import { EdgeForm } from "./EdgeForm";
import { connect, edgeId } from "./graph";
import type { Taken } from "./guard/useTaken";
import { noMarks } from "./marks";
import { type Panel, Panels } from "./Panels";
import { StepForm } from "./StepForm";
import { StepList } from "./StepList";
import { BuilderContext, type BuilderStore, useDraft } from "./store";
import { ToolBar } from "./ToolBar";
import { type TextForm, TextPanel } from "./text/TextPanel";
import { useSimulation } from "./trial/useSimulation";
import { useTrial } from "./trial/useTrial";
import { ToolsContext, type Types } from "./types";
import { focusCanvas, useEditing } from "./useEditing";
import { useKeyboard } from "./useKeyboard";
import { unreadable, useProblems } from "./useProblems";
import { useStableTools } from "./useStableTools";
import { WorkflowForm } from "./WorkflowForm";
import { edgeBehind } from "./walk";
import { builderWords } from "./words";

interface Props {
    store: BuilderStore;
    types: Types;
    /** The workflow is not published yet: its name can still be chosen. */
    fresh: boolean;
    /** Whether that name belongs to something else. */
    named: { taken: Taken | undefined; asking: boolean };
    /** The text beside the graph; none: it is not shown. */
    text: TextForm | undefined;
    onText: (form: TextForm) => void;
    panel: Panel;
    onPanel: (panel: Panel) => void;
    onPublish: () => void;
    /** Of the draft as it was saved last. */
    etag: () => string | undefined;
    /** The frame around, which gets the tools and the number of problems. */
    children: (tools: ReactNode, problems: number, checking: boolean, body: ReactNode) => ReactNode;
}

function Inner(props: Omit<Props, "store">) {
    const { types, fresh, text, panel, onPanel, children } = props;
    const t = useWords(builderWords);
    const draft = useDraft();
    const [selected, select] = useState<string[]>([]);
    const [edge, selectEdge] = useState<string>();
    const [offer, setOffer] = useState<Offer>();
    const [connecting, setConnecting] = useState<{ from: string; ways: string[] }>();
    const { problems, checking } = useProblems(draft.definition, props.named);
    const selection = { selected, select, edge, selectEdge };
    /** One form is shown: that of the edge, or that of the step. */
    const choose = useCallback((ids: string[]) => {
        select(ids);
        if (ids.length > 0) selectEdge(undefined);
    }, []);
    const editing = useEditing(types, selection);
    const trial = useTrial(draft.definition.name, editing.now);
    const simulation = useSimulation(editing.now);
    const tools = useStableTools(types, editing, setOffer);
    /** Closes a dialog; who asked by a key goes on in the graph. */
    const leave = (close: (nothing: undefined) => void) => {
        close(undefined);
        focusCanvas();
    };
    const offerBehind = (from: string | undefined, ways: string[]) => {
        const box = document.querySelector(`[data-step="${from}"]`)?.getBoundingClientRect();
        const anchor = box ? { x: box.right + 8, y: box.top } : { x: 480, y: 160 };
        setOffer({
            where: from ? { after: { from, handle: ways[0] ?? "default" } } : {},
            anchor,
            ways,
        });
    };
    const pick = (id: string | undefined) => {
        select(id ? [id] : []);
        if (id) editing.centre(id);
    };
    const nextProblem = () => {
        const nodes = [...new Set(problems.flatMap((one) => one.node ?? []))];
        pick(nodes[(nodes.indexOf(selected[0] ?? "") + 1) % Math.max(nodes.length, 1)]);
    };
    const publishable = problems.length === 0 && !checking;
    useKeyboard({
        types,
        editing,
        selection,
        offer: offerBehind,
        connect: (from, ways) => setConnecting({ from, ways }),
        publish: () => publishable && props.onPublish(),
        test: () => onPanel("test"),
        nextProblem,
    });
    const marks =
        (panel === "test" ? trial.marks : panel === "simulate" ? simulation.marks : undefined) ??
        noMarks;
    const node =
        selected.length === 1
            ? draft.definition.nodes.find((one) => one.id === selected[0])
            : undefined;
    const chosenEdge = edge
        ? draft.definition.edges.find((one) => edgeId(one) === edge)
        : undefined;
    const body = (
        <ToolsContext.Provider value={tools}>
            <div className={classes.builder} data-text={text !== undefined || undefined}>
                <aside className={classes.palette} aria-label={t("add")} data-own-keys>
                    <StepList
                        draggable
                        height="calc(100vh - 180px)"
                        onPick={(type) => editing.add(type, {})}
                    />
                </aside>
                <div className={classes.middle}>
                    <div className={classes.work}>
                        <Canvas
                            problems={problems}
                            marks={marks}
                            selected={selected}
                            onSelect={choose}
                            edge={edge}
                            onSelectEdge={selectEdge}
                        />
                        {text && <TextPanel form={text} onForm={props.onText} />}
                    </div>
                    <Panels
                        panel={panel}
                        onPanel={onPanel}
                        problems={problems}
                        checking={checking}
                        trial={trial}
                        simulation={simulation}
                        onPick={({ node, code }) =>
                            code === unreadable ? props.onText(text ?? "yaml") : pick(node)
                        }
                        onShow={(id) => editing.pick([id])}
                    />
                </div>
                <aside
                    className={classes.form}
                    data-form
                    aria-label={t(chosenEdge ? "edge" : node ? "step" : "workflow")}
                    aria-live="polite"
                >
                    {chosenEdge ? (
                        <EdgeForm key={edge} edge={chosenEdge} values={trial.values} />
                    ) : node ? (
                        <StepForm
                            key={node.id}
                            node={node}
                            problems={problems.filter((one) => one.node === node.id)}
                            values={trial.values}
                            onRename={(id) => select([id])}
                        />
                    ) : (
                        <WorkflowForm fresh={fresh} taken={props.named.taken} />
                    )}
                </aside>
            </div>
            {offer && (
                <AddDialog
                    offer={offer}
                    onClose={() => leave(setOffer)}
                    onPick={(type, where, way) => {
                        leave(setOffer);
                        const after =
                            where.after && way ? { ...where.after, handle: way } : where.after;
                        // A way out that leads on already: between the two.
                        const into =
                            after && offer.ways && edgeBehind(draft, after.from, after.handle);
                        editing.add(
                            type,
                            into ? { into } : { ...where, ...(after ? { after } : {}) },
                        );
                    }}
                />
            )}
            {connecting && (
                <ConnectDialog
                    draft={draft}
                    {...connecting}
                    onClose={() => leave(setConnecting)}
                    onPick={(place, to) => {
                        leave(setConnecting);
                        editing.write((old) => connect(old, place, to));
                    }}
                />
            )}
        </ToolsContext.Provider>
    );
    const bar = (
        <ToolBar
            editing={editing}
            chosen={selected.length + (edge ? 1 : 0)}
            etag={props.etag}
            onAdd={offerBehind}
        />
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
