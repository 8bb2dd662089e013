import { useCallback } from "react";
import { defineWords, say, useWords } from ".";

const channelWords = defineWords("channels", {
    en: {
        email: "email",
        sms: "SMS",
        line: "LINE",
        push: "push",
        webhook: "webhook",
        marketing: "marketing",
        transactional: "transactional",
    },
    th: {
        email: "อีเมล",
        sms: "SMS",
        line: "LINE",
        push: "พุช",
        webhook: "เว็บฮุก",
        marketing: "การตลาด",
        transactional: "ธุรกรรม",
    },
});

/** How people call a channel or a category of messages; one that has no name is shown as it is. */
export function useChannelNames(): (name: string) => string {
    const t = useWords(channelWords);
    return useCallback(
        (name) => {
            const known = channelWords.keys.find((key) => key === name);
            return known ? t(known) : name;
        },
        [t],
    );
}

/** The same for texts outside of components. */
export function channelName(name: string): string {
    const known = channelWords.keys.find((key) => key === name);
    return known ? say(channelWords, known) : name;
}
