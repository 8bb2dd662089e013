import { stepTitle } from "@/builder/stepWords";
import { Hint } from "@/components/Hint";
import { useWords } from "@/words";
import { useSaid } from "@/words/said";
import { percent } from "../list/spark";
import classes from "./Funnel.module.css";
import { fateOf } from "./rates";
import type { FunnelNode } from "./useFunnel";
import { funnelWords } from "./words";

interface Props {
    nodes: FunnelNode[];
    selected?: string | undefined;
    onSelect: (node: string) => void;
}

/** A bar for each step: who went on, who waits, who did neither; a click lists the people. */
export function StepBars({ nodes, selected, onSelect }: Props) {
    const t = useWords(funnelWords);
    const shown = nodes.filter((node) => node.entered + node.passed + node.waiting > 0);
    const came = (node: FunnelNode) => Math.max(node.entered, node.passed + node.waiting);
    const most = Math.max(1, ...shown.map(came));
    return (
        <div className={classes.steps}>
            {shown.map((node) => {
                const entered = came(node);
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
                        onClick={() => onSelect(node.node)}
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
                            {t("dropOff", { count: entered - fate.passed })}
                        </span>
                        {node.sent + node.skipped > 0 && <MessageLine node={node} />}
                    </button>
                );
            })}
        </div>
    );
}

/** What became of the messages of a step. */
function MessageLine({ node }: { node: FunnelNode }) {
    const t = useWords(funnelWords);
    const say = useSaid("reason");
    const of = (count: number, all: number) =>
        all > 0 ? `${count.toLocaleString()} (${percent(count / all)})` : count.toLocaleString();
    const reasons = Object.entries(node.skipped_by)
        .map(([reason, count]) => `${say(reason)} ${count.toLocaleString()}`)
        .join(", ");
    return (
        <span className={classes.messages}>
            <span>
                {t("stage_sent")} {node.sent.toLocaleString()}
            </span>
            <span>
                {t("stage_delivered")} {of(node.delivered, node.sent)}
            </span>
            <span>
                {t("stage_opened")} {of(node.opened, node.delivered)}
            </span>
            <span>
                {t("stage_clicked")} {of(node.clicked, node.delivered)}
            </span>
            {reasons && <span>{t("skippedBy", { reasons })}</span>}
        </span>
    );
}
