import { defineWords } from "@/words";

export const inputWords = defineWords("workflow-input", {
    en: {
        as: "How it is written",
        fields: "Fields",
        json: "JSON",
        free: "Values, each with its name",
        usedBy: "Used by {steps}",
        usedByMore: "Used by {steps} and {count, plural, one {# more step} other {# more steps}}",
    },
    th: {
        as: "วิธีเขียน",
        fields: "ช่องกรอก",
        json: "JSON",
        free: "ค่าต่าง ๆ พร้อมชื่อ",
        usedBy: "ใช้ใน {steps}",
        usedByMore: "ใช้ใน {steps} และอีก {count} ขั้นตอน",
    },
});
