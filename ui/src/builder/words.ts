import { defineWords } from "@/words";
import { english } from "./words_en";
import { thai } from "./words_th";

export const builderWords = defineWords("builder", { en: english, th: thai });
