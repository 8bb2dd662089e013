import {
    IconArrowsSplit2,
    IconBolt,
    IconBox,
    IconBrandGraphql,
    IconCircleX,
    IconClock,
    IconCode,
    IconDatabase,
    IconFlag,
    IconGitMerge,
    IconLock,
    IconLockOpen,
    IconMessage,
    IconPlayerPlay,
    IconQuestionMark,
    IconRepeat,
    IconRobot,
    IconRoute,
    IconSpeakerphone,
    IconSquareRoundedX,
    IconStack2,
    IconTarget,
    IconTransform,
    IconUser,
    IconWorld,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

type Icon = ComponentType<{ size?: number; stroke?: number }>;

const icons: Record<string, Icon> = {
    action: IconBolt,
    agent: IconRobot,
    api_call: IconWorld,
    call: IconRoute,
    cancel: IconCircleX,
    code: IconCode,
    condition: IconQuestionMark,
    emit: IconSpeakerphone,
    end: IconFlag,
    exit: IconSquareRoundedX,
    foreach: IconStack2,
    function: IconBrandGraphql,
    goal: IconTarget,
    http: IconWorld,
    human: IconUser,
    join: IconGitMerge,
    lock: IconLock,
    loop: IconRepeat,
    message: IconMessage,
    parallel: IconArrowsSplit2,
    scope: IconBox,
    split: IconArrowsSplit2,
    sql: IconDatabase,
    switch: IconRoute,
    transform: IconTransform,
    trigger: IconPlayerPlay,
    unlock: IconLockOpen,
    wait: IconClock,
};

const tones: Record<string, string> = {
    trigger: "teal",
    message: "blue",
    wait: "yellow",
    condition: "violet",
    split: "violet",
    switch: "violet",
    human: "orange",
    agent: "grape",
    action: "cyan",
    end: "gray",
    exit: "gray",
    goal: "teal",
};

export const toneOf = (type: string) => tones[type] ?? "indigo";

export function StepIcon({ type, size = 16 }: { type: string; size?: number }) {
    const Icon = icons[type] ?? IconBox;
    return <Icon size={size} stroke={1.6} />;
}
