import { defineWords } from "@/words";

export const clampedWords = defineWords("clamped", {
    en: { showWhole: "Show all of it", showLess: "Show less", wholeText: "The whole text" },
    th: { showWhole: "แสดงทั้งหมด", showLess: "แสดงน้อยลง", wholeText: "ข้อความทั้งหมด" },
});
