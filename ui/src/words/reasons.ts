import { defineWords } from ".";

/** Why a message was not sent, in few words; a page about one message says more. */
export const reasonWords = defineWords("reasons", {
    en: {
        no_address: "no address",
        invalid_address: "wrong address",
        no_person: "person not known",
        suppressed: "address suppressed",
        unsubscribed: "unsubscribed",
        quiet_hours: "quiet hours",
        frequency_cap: "enough messages already",
        holdout: "in the holdout",
        invalid_content: "wrong content",
    },
    th: {
        no_address: "ไม่มีที่อยู่",
        invalid_address: "ที่อยู่ไม่ถูกต้อง",
        no_person: "ไม่รู้จักบุคคล",
        suppressed: "ที่อยู่ถูกระงับ",
        unsubscribed: "ยกเลิกการรับ",
        quiet_hours: "เวลางดส่ง",
        frequency_cap: "ได้รับครบแล้ว",
        holdout: "กลุ่มควบคุม",
        invalid_content: "เนื้อหาไม่ถูกต้อง",
    },
});

/** Why an address gets nothing; the owner of the address list may have own reasons. */
export const suppressionWords = defineWords("suppressions", {
    en: {
        bounced: "bounced",
        complained: "complained",
        unfollowed: "unfollowed",
        unsubscribed: "unsubscribed",
        refused: "refused by the provider",
        by_hand: "by hand",
    },
    th: {
        bounced: "ตีกลับ",
        complained: "ร้องเรียน",
        unfollowed: "เลิกติดตาม",
        unsubscribed: "ยกเลิกการรับ",
        refused: "ผู้ให้บริการปฏิเสธ",
        by_hand: "ระงับด้วยมือ",
    },
});

/** What kind of failure an attempt had: it says whether it is tried again. */
export const errorClassWords = defineWords("error-classes", {
    en: {
        retryable: "may be tried again",
        permanent: "would fail again",
        ambiguous: "outcome not known",
    },
    th: {
        retryable: "ลองใหม่ได้",
        permanent: "ลองใหม่ก็ไม่สำเร็จ",
        ambiguous: "ไม่ทราบผล",
    },
});

/** By what a run was started; callers may say something of their own. */
export const startedByWords = defineWords("started-by", {
    en: {
        api: "the API",
        call: "another run",
        event: "an event",
        queue: "a queue",
        schedule: "a schedule",
        form_submitted: "a form",
        frontend: "the application",
        rerun: "a repetition",
        retry: "a repetition",
        sql: "SQL",
    },
    th: {
        api: "API",
        call: "รันอื่น",
        event: "เหตุการณ์",
        queue: "คิว",
        schedule: "ตารางเวลา",
        form_submitted: "แบบฟอร์ม",
        frontend: "แอปพลิเคชัน",
        rerun: "การทำซ้ำ",
        retry: "การทำซ้ำ",
        sql: "SQL",
    },
});

/** What a job does to many runs. */
export const jobWords = defineWords("job-kinds", {
    en: {
        replay: "replay",
        audience: "audience",
        bulk: "change",
        enter: "enter",
        cancel: "cancel",
        pause: "pause",
        resume: "resume",
        signal: "signal",
        skip: "skip",
        settle: "outcome said",
        retry: "retry",
        rerun: "run again",
        migrate: "move to a version",
    },
    th: {
        replay: "เล่นซ้ำ",
        audience: "กลุ่มเป้าหมาย",
        bulk: "เปลี่ยน",
        enter: "เข้าเวิร์กโฟลว์",
        cancel: "ยกเลิก",
        pause: "หยุดชั่วคราว",
        resume: "ทำต่อ",
        signal: "ส่งสัญญาณ",
        skip: "ข้าม",
        settle: "บอกผล",
        retry: "ลองใหม่",
        rerun: "ทำใหม่",
        migrate: "ย้ายรุ่น",
    },
});

/** Through what a request came. */
export const doorWords = defineWords("doors", {
    en: { ui: "these pages", api: "the API", cli: "the command line" },
    th: { ui: "หน้าเว็บนี้", api: "API", cli: "บรรทัดคำสั่ง" },
});

/** The ways out that steps have by themselves; others have the names that a workflow gives them. */
export const handleWords = defineWords("handles", {
    en: {
        default: "default",
        error: "error",
        failed: "failed",
        skipped: "skipped",
        timeout: "timeout",
        true: "true",
        false: "false",
        approved: "approved",
        rejected: "rejected",
        body: "body",
        each: "each",
    },
    th: {
        default: "ปกติ",
        error: "ข้อผิดพลาด",
        failed: "ล้มเหลว",
        skipped: "ข้าม",
        timeout: "หมดเวลา",
        true: "ใช่",
        false: "ไม่ใช่",
        approved: "อนุมัติ",
        rejected: "ปฏิเสธ",
        body: "แต่ละรอบ",
        each: "แต่ละรายการ",
    },
});
