import { defineWords } from ".";

/** How a step ended of which no answer came, as a person says it. */
export const outcomeWords = defineWords("outcomes", {
    en: {
        settleAs: "It",
        completed: "was done",
        failed: "was not done, and must not be tried again",
        retry: "was not done: try it again",
    },
    th: {
        settleAs: "คำขอนี้",
        completed: "ทำสำเร็จแล้ว",
        failed: "ไม่ได้ทำ และต้องไม่ลองอีก",
        retry: "ไม่ได้ทำ: ลองอีกครั้ง",
    },
});
