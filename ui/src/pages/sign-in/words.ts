import { defineWords } from "@/words";

export const signInWords = defineWords("signIn", {
    en: {
        title: "Sign in to Pawl",
        key: "API key",
        help: "The key is kept by the server; this page forgets it.",
        button: "Sign in",
        noKey: "No key yet? Ask an admin for one, or create it on the server:",
        refused: "The server refused this key",
        gone: "The server does not answer",
        goneHelp: "Nothing was sent. Try again when it is back.",
        ended: "Your session has ended. Sign in to go on where you were.",
        link: "This link has signed in once already, or is too old. Ask for a new one, or sign in here.",
        byProvider: "Sign in with {provider}",
        orKey: "or with an API key",
    },
    th: {
        title: "ลงชื่อเข้าใช้ Pawl",
        key: "คีย์ API",
        help: "เซิร์ฟเวอร์เก็บคีย์ไว้ หน้านี้จะไม่จำ",
        button: "ลงชื่อเข้าใช้",
        noKey: "ยังไม่มีคีย์? ขอจากผู้ดูแล หรือสร้างบนเซิร์ฟเวอร์:",
        refused: "เซิร์ฟเวอร์ปฏิเสธคีย์นี้",
        gone: "เซิร์ฟเวอร์ไม่ตอบ",
        goneHelp: "ยังไม่ได้ส่งอะไร ลองอีกครั้งเมื่อเซิร์ฟเวอร์กลับมา",
        ended: "เซสชันของคุณสิ้นสุดแล้ว ลงชื่อเข้าใช้เพื่อทำต่อจากที่ค้างไว้",
        link: "ลิงก์นี้ถูกใช้ไปแล้วหรือหมดอายุ ขอลิงก์ใหม่ หรือลงชื่อเข้าใช้ที่นี่",
        byProvider: "ลงชื่อเข้าใช้ด้วย {provider}",
        orKey: "หรือใช้คีย์ API",
    },
});
