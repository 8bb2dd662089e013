import { stepTitle } from "@/builder/stepWords";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { percent } from "../list/spark";
import classes from "./Funnel.module.css";
import { cameTo, fateOf } from "./rates";
import { type Channels, reachOf } from "./reach";
import type { FunnelNode } from "./useFunnel";
import { funnelWords } from "./words";

interface Props {
    nodes: FunnelNode[];
    /** What the channels report; undefined: it is not known yet. */
    channels: Channels | undefined;
    selected?: string | undefined;
    /** `lost`: some came and did not go on. */
    onSelect: (node: string, lost: boolean) => void;
}

/** A bar for each step: who went on, who waits, who did neither; a click lists the people. */
export function StepBars({ nodes, channels, selected, onSelect }: Props) {
    const t = useWords(funnelWords);
    const shown = nodes.filter((node) => node.entered + node.passed + node.waiting > 0);
    const most = Math.max(1, ...shown.map(cameTo));
    return (
        <div className={classes.steps}>
            {shown.map((node) => {
                const entered = cameTo(node);
                const fate = fateOf({ ...node, entered });
                const width = (count: number) => ({ width: `${(count / most) * 100}%` });
                const label = t("nodeLabel", { node: node.node, entered, ...fate });
                return (
                    <button
                        key={node.node}
                        type="button"
                        className={classes.step}
                        aria-pressed={selected === node.node}
                        data-node={node.node}
                        onClick={() => onSelect(node.node, fate.lost > 0)}
                    >
                        <span className={classes.stepName}>
                            <b className="truncate" title={node.node}>
                                {node.node}
                            </b>
                            <span className="truncate">
                                {node.type ? stepTitle(node.type, node.type) : t("notInVersion")}
                            </span>
                        </span>
                        <Hint label={label} multiline maw={320}>
                            <span className={classes.track} role="img" aria-label={label}>
                                <span className={classes.passed} style={width(fate.passed)} />
                                <span className={classes.waits} style={width(fate.waiting)} />
                                <span className={classes.lost} style={width(fate.lost)} />
                            </span>
                        </Hint>
                        <span className={`${classes.count} numbers`}>
                            {entered.toLocaleString()}
                        </span>
                        <span className={`${classes.drop} numbers`}>
                            {(fate.lost > 0 || fate.waiting === 0) && (
                                <span data-drop={fate.lost}>
                                    {t("dropOff", { count: fate.lost })}
                                </span>
                            )}
                            {fate.waiting > 0 && (
                                <span>{t("waitThere", { count: fate.waiting })}</span>
                            )}
                        </span>
                        {node.sent + node.skipped > 0 && (
                            <MessageLine node={node} channels={channels} />
                        )}
                    </button>
                );
            })}
        </div>
    );
}

interface LineProps {
    node: FunnelNode;
    channels: Channels | undefined;
}

/** What became of the messages of a step. */
function MessageLine({ node, channels }: LineProps) {
    const t = useWords(funnelWords);
    const say = useSaid("reason");
    const reach = channels && reachOf(channels.nodes.get(node.node) ?? [], channels.opens);
    const kinds = ["delivered", "opened", "clicked"] as const;
    const of = (kind: (typeof kinds)[number]) => {
        if (!reach) return node[kind].toLocaleString();
        const share = reach[kind];
        if (!share) return "–";
        const rate = share.of > 0 && share.count <= share.of ? percent(share.count / share.of) : "";
        return share.count.toLocaleString() + (rate && ` (${rate})`);
    };
    const said = (kind: (typeof kinds)[number]) => {
        const share = reach?.[kind];
        if (reach && !share) return t(kind === "opened" ? "opensUnknown" : "aggregate");
        const partial = kind === "opened" ? reach?.partialOpens : reach?.partial;
        if (!share || !partial) return undefined;
        return t(kind === "clicked" ? "amongClicked" : "among", { count: share.of });
    };
    const reasons = Object.entries(node.skipped_by)
        .map(([reason, count]) => `${say(reason)} ${count.toLocaleString()}`)
        .join(", ");
    return (
        <span className={classes.messages}>
            <span>
                {t("stage_sent")} {node.sent.toLocaleString()}
            </span>
            {kinds.map((kind) => (
                <span key={kind} data-kind={kind} title={said(kind)}>
                    {t(`stage_${kind}`)} {of(kind)}
                </span>
            ))}
            {reasons && <span>{t("skippedBy", { reasons })}</span>}
        </span>
    );
}
