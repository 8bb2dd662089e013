import { defineWords } from "@/words";

export const inputWords = defineWords("workflow-input", {
    en: {
        as: "How it is written",
        fields: "Fields",
        json: "JSON",
        usedBy: "Used by {steps}",
        usedByMore: "Used by {steps} and {count, plural, one {# more step} other {# more steps}}",
    },
    th: {
        as: "วิธีเขียน",
        fields: "ช่องกรอก",
        json: "JSON",
        usedBy: "ใช้ใน {steps}",
        usedByMore: "ใช้ใน {steps} และอีก {count} ขั้นตอน",
    },
});
