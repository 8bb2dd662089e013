import { defineWords, say } from "@/words";

/** What types of steps are called. The server names the others, as those of a newer version. */
export const stepWords = defineWords("steps", {
    en: {
        action: "Action",
        agent: "Agent",
        call: "Call a workflow",
        cancel: "Withdraw",
        code: "Code",
        condition: "Condition",
        emit: "Emit an event",
        end: "End",
        exit: "End the run",
        foreach: "For each",
        function: "Function",
        goal: "Goal",
        http: "HTTP request",
        human: "Ask a person",
        join: "Join",
        lock: "Enter a critical section",
        loop: "Loop",
        message: "Message",
        parallel: "Parallel",
        scope: "Scope",
        split: "Split",
        sql: "SQL",
        switch: "Switch",
        transform: "Transform",
        trigger: "Trigger",
        unlock: "Leave a critical section",
        wait: "Wait",
    },
    th: {
        action: "การกระทำ",
        agent: "เอเจนต์",
        call: "เรียกเวิร์กโฟลว์",
        cancel: "ยกเลิกรันอื่น",
        code: "โค้ด",
        condition: "เงื่อนไข",
        emit: "ส่งเหตุการณ์",
        end: "จบ",
        exit: "จบรัน",
        foreach: "ทำกับแต่ละรายการ",
        function: "ฟังก์ชัน",
        goal: "เป้าหมาย",
        http: "คำขอ HTTP",
        human: "ถามคน",
        join: "รวมเส้นทาง",
        lock: "เข้าส่วนที่ทำทีละรัน",
        loop: "วนซ้ำ",
        message: "ข้อความ",
        parallel: "ทำพร้อมกัน",
        scope: "ขอบเขต",
        split: "แบ่งกลุ่ม",
        sql: "SQL",
        switch: "เลือกตามค่า",
        transform: "แปลงข้อมูล",
        trigger: "จุดเริ่ม",
        unlock: "ออกจากส่วนที่ทำทีละรัน",
        wait: "รอ",
    },
});

/** The name of a type of step in the language of the viewer. */
export function stepTitle(type: string, said: string): string {
    const known = stepWords.keys.find((key) => key === type);
    return known ? say(stepWords, known) : said;
}
