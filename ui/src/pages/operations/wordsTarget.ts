import { defineWords } from "@/words";

export const targetWords = defineWords("target", {
    en: {
        callAgain: "Call it again",
        callAgainSays:
            "Every worker calls {target} again within two seconds. If it still fails, it is left alone again.",
        calledAgain: "Workers call it again",
    },
    th: {
        callAgain: "เรียกอีกครั้ง",
        callAgainSays: "ทุกเวิร์กเกอร์จะเรียก {target} อีกครั้งภายในสองวินาที ถ้ายังล้มเหลวจะถูกพักอีก",
        calledAgain: "เวิร์กเกอร์เรียกอีกครั้งแล้ว",
    },
});
