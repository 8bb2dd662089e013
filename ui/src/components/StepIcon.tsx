import {
    IconArrowsJoin2,
    IconArrowsSplit2,
    IconBolt,
    IconBraces,
    IconClock,
    IconDatabase,
    IconFlag,
    IconFunction,
    IconGitBranch,
    IconHandStop,
    IconLock,
    IconMail,
    IconPercentage,
    IconPlayerPlay,
    IconRepeat,
    IconSend,
    IconSitemap,
    IconUserCheck,
    IconWorld,
} from "@tabler/icons-react";
import classes from "./StepIcon.module.css";

const icons: Record<string, typeof IconBolt> = {
    action: IconBolt,
    call: IconSitemap,
    cancel: IconHandStop,
    code: IconBraces,
    condition: IconGitBranch,
    emit: IconSend,
    end: IconFlag,
    exit: IconFlag,
    foreach: IconRepeat,
    function: IconFunction,
    http: IconWorld,
    human: IconUserCheck,
    join: IconArrowsJoin2,
    lock: IconLock,
    loop: IconRepeat,
    message: IconMail,
    parallel: IconArrowsSplit2,
    split: IconPercentage,
    sql: IconDatabase,
    switch: IconGitBranch,
    transform: IconBraces,
    trigger: IconPlayerPlay,
    unlock: IconLock,
    wait: IconClock,
};

/** What kind of step it is, in the colour of its state. */
export function StepIcon({ type, status }: { type: string; status?: string }) {
    const Icon = icons[type] ?? IconBolt;
    return (
        <span className={classes.icon} data-status={status} title={type}>
            <Icon size={13} stroke={1.8} aria-hidden />
        </span>
    );
}
