import { defineWords } from "@/words";

export const signInWords = defineWords("signIn", {
    en: {
        title: "Sign in to Pawl",
        key: "API key",
        help: "The key is kept by the server; this page forgets it.",
        button: "Sign in",
        noKey: "No key yet? Create one on the server:",
        refused: "The server refused this key",
    },
    th: {
        title: "ลงชื่อเข้าใช้ Pawl",
        key: "คีย์ API",
        help: "เซิร์ฟเวอร์เก็บคีย์ไว้ หน้านี้จะไม่จำ",
        button: "ลงชื่อเข้าใช้",
        noKey: "ยังไม่มีคีย์? สร้างบนเซิร์ฟเวอร์:",
        refused: "เซิร์ฟเวอร์ปฏิเสธคีย์นี้",
    },
});
