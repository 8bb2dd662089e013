import { defineWords } from "@/words";

export const failuresWords = defineWords("failures", {
    en: {
        title: "Failures",
        error: "Error",
        workflow: "Workflow",
        step: "Step",
        count: "Runs",
        first: "First",
        last: "Last",
        empty: "No run has failed",
        emptyText: "Runs that gave up are grouped here by their error, to be replayed together.",
        replay: "Replay",
        replayAll: "{count, plural, one {Replay # run} other {Replay # runs}}",
        replayHelp:
            "Each goes on from the step that failed, on the active version of its workflow.",
        replaying: "The replay is job {id}",
        example: "Look at one of them",
        more: "Some errors have more runs than are counted.",
    },
    th: {
        title: "ความล้มเหลว",
        error: "ข้อผิดพลาด",
        workflow: "เวิร์กโฟลว์",
        step: "ขั้นตอน",
        count: "รัน",
        first: "ครั้งแรก",
        last: "ล่าสุด",
        empty: "ไม่มีรันที่ล้มเหลว",
        emptyText: "รันที่เลิกพยายามจะถูกจัดกลุ่มตามข้อผิดพลาดที่นี่ เพื่อเล่นซ้ำพร้อมกัน",
        replay: "เล่นซ้ำ",
        replayAll: "เล่นซ้ำ {count} รัน",
        replayHelp: "แต่ละรันทำต่อจากขั้นตอนที่ล้มเหลว ด้วยรุ่นที่ใช้งานของเวิร์กโฟลว์",
        replaying: "การเล่นซ้ำคืองาน {id}",
        example: "ดูตัวอย่างหนึ่งรัน",
        more: "บางข้อผิดพลาดมีรันมากกว่าที่นับ",
    },
});
