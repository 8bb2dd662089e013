import { defineWords } from "@/words";
import { en } from "./words.en";
import { th } from "./words.th";

export const settingsWords = defineWords("settings", { en, th });
