import { defineWords, type Say } from "@/words";
import { en } from "./deeds.en";
import { th } from "./deeds.th";

export const deedWords = defineWords("deeds", { en, th });

type Deed = keyof typeof en;

/** What an operation of the API did, in words; its name when it has none, such as a later server's. */
export const deedOf = (say: Say<Deed>, operation: string): string =>
    Object.hasOwn(en, operation) ? say(operation as Deed) : operation;
