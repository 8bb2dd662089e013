import type { Schemas } from "@/data/api";

export type FindingCode = Schemas["Finding"]["code"];

/** What is looked at, by Finding.check. */
export const checks: Record<string, string> = {
    server: "เซิร์ฟเวอร์ฐานข้อมูล",
    settings: "การตั้งค่า",
    roles: "บทบาท",
    connections: "การเชื่อมต่อ",
    snapshots: "สแนปช็อตเก่า",
    partitions: "พาร์ทิชัน",
    "dead workers": "เวิร์กเกอร์ที่หายไป",
    "stuck runs": "รันที่ค้าง",
    lag: "สิ่งที่ตามไม่ทัน",
    "closed runs": "รันที่จบแล้ว",
    limits: "ขีดจำกัด",
    watches: "ตารางที่เฝ้าดู",
    webhooks: "เว็บฮุก",
    migrations: "การย้ายรุ่นฐานข้อมูล",
    health: "สุขภาพ",
    workers: "เวิร์กเกอร์",
    backlog: "งานที่ถึงเวลา",
    queues: "คิว",
};

/** A finding with its `values`. Without `next`, what the server says to do is a command. */
export const findings: Record<FindingCode, { detail: string; next?: string }> = {
    check_failed: {
        detail: "ตรวจไม่สำเร็จ: {error}",
        next: "pawl doctor ด้วยการเข้าสู่ระบบเดียวกันบอกได้มากกว่านี้",
    },
    migrated: { detail: "ใช้ครบทั้ง {count} แล้ว" },
    migrations_pending: { detail: "ยังไม่ได้ใช้ {pending} จาก {count}" },
    functions_differ: { detail: "ไฟล์ของฟังก์ชันและวิวต่างไป {count} ไฟล์" },
    workers: { detail: "ทำงานอยู่ {count}" },
    no_workers: { detail: "ไม่มีเวิร์กเกอร์ทำงานอยู่" },
    backlog: { detail: "มี {count} รันถึงเวลา" },
    backlog_old: {
        detail: "มี {count} รันถึงเวลา เก่าที่สุดรอมา {age}",
        next: "เพิ่มเวิร์กเกอร์ หรือดูว่าที่มีอยู่ทำอะไร: /metrics",
    },
    server: { detail: "PostgreSQL {version}" },
    standby: {
        detail: "นี่คือเซิร์ฟเวอร์สำรอง เขียนไม่ได้",
        next: "เชื่อมต่อกับเซิร์ฟเวอร์หลัก: target_session_attrs=read-write ใน DATABASE_URL หาให้จากหลายโฮสต์",
    },
    no_sync_standby: {
        detail: "ไม่มีเซิร์ฟเวอร์ใดใน synchronous_standby_names ({names}) การเขียนจะรอไม่สิ้นสุด",
        next: "เปิดเซิร์ฟเวอร์สำรอง หรือนำออกจาก synchronous_standby_names",
    },
    hidden_standbys: {
        detail: "ผู้ใช้นี้มองไม่เห็นว่ามีเซิร์ฟเวอร์ใน synchronous_standby_names ({names}) หรือไม่",
    },
    not_archived: {
        detail: "บันทึก WAL ไม่ถูกเก็บถาวรตั้งแต่ {since}: {file}",
        next: "ดูในบันทึกของเซิร์ฟเวอร์ว่า archive_command บอกอะไร ระหว่างนี้ดิสก์จะเต็มขึ้นเรื่อย ๆ",
    },
    slot_keeps_log: {
        detail: "สล็อต {slot} เก็บบันทึก WAL ไว้ {size} บนดิสก์",
        next: "เปิดผู้รับของสล็อต หรือ: select pg_drop_replication_slot('{slot}')",
    },
    not_frozen: {
        detail: "{count} ทรานแซกชันนับจากตัวเก่าที่สุดที่ยังไม่ถูกตรึง เซิร์ฟเวอร์หยุดที่ 2 พันล้าน",
        next: "หาว่าอะไรถือสแนปช็อตเก่า (ด้านบน) แล้ว: vacuum (freeze, verbose)",
    },
    dead_rows: {
        detail: "{table} มีแถวที่ตายแล้ว {dead} แถว และแถวที่ใช้อยู่ {live} แถว",
        next: "vacuum pawl.{table} หากไม่ช่วย แสดงว่าทรานแซกชันหรือสล็อตถือสแนปช็อตเก่าไว้",
    },
    settings_safe: { detail: "ปลอดภัย" },
    fsync_off: { detail: "fsync ปิดอยู่ เครื่องล่มแล้วฐานข้อมูลเสียหาย" },
    full_page_writes_off: { detail: "full_page_writes ปิดอยู่ ล่มระหว่างเขียนแล้วหน้าข้อมูลเสียหาย" },
    synchronous_commit_off: {
        detail: "synchronous_commit ปิดอยู่ สิ่งที่ยืนยันแล้วอาจหายเมื่อล่ม",
    },
    autovacuum_off: { detail: "autovacuum ปิดอยู่ ตารางจะบวมจนทำงานไม่ได้" },
    track_counts_off: { detail: "track_counts ปิดอยู่ autovacuum ไม่รู้ว่าต้องทำอะไร" },
    tables_not_vacuumed: { detail: "autovacuum ปิดอยู่สำหรับ {names}" },
    read_only: { detail: "ทรานแซกชันที่นี่อ่านได้อย่างเดียวโดยปริยาย" },
    isolation: { detail: "default_transaction_isolation คือ {setting}" },
    short_timeout: { detail: "{setting} คือ {ms} มิลลิวินาที การรับรันและการบันทึกอาจถูกตัด" },
    idle_transactions: {
        detail: "idle_in_transaction_session_timeout ปิดอยู่ โปรแกรมที่ลืมทรานแซกชันทำให้ vacuum ทำงานไม่ได้",
    },
    no_service_user: {
        detail: "ผู้ใช้นี้ไม่ได้อยู่ใน worker_service_user อีเมลและงานในคิวจึงไม่ถูกทำ",
    },
    connections: { detail: "ใช้ไป {used} จาก {most} เหลือ {left} สำหรับบทบาทและฐานข้อมูลนี้" },
    connections_short: {
        detail: "ใช้ไป {used} จาก {most} เหลือ {left} สำหรับบทบาทและฐานข้อมูลนี้",
        next: "เธรดของเวิร์กเกอร์ใช้ได้ถึง 15 API ใช้ 8: เพิ่ม max_connections หรือขีดจำกัดของบทบาท หรือใช้ pooler",
    },
    no_old_snapshot: { detail: "ไม่มีเซสชันใดถือสแนปช็อตเก่า" },
    old_snapshot: {
        detail: "pid {pid} ({user}) อยู่ในทรานแซกชันมา {age}, {state}: {query}",
        next: "ปล่อยให้จบ หรือ: select pg_terminate_backend({pid})",
    },
    prepared_transaction: {
        detail: "ทรานแซกชันที่เตรียมไว้ {gid} ของ {user} เปิดอยู่ตั้งแต่ {since}",
        next: "commit หรือย้อนกลับ: rollback prepared {gid}",
    },
    slot_snapshot: {
        detail: "สล็อต {slot} ถือสแนปช็อตที่เก่า {count} ทรานแซกชัน",
        next: "เปิดผู้รับของสล็อต หรือ: select pg_drop_replication_slot('{slot}')",
    },
    standby_snapshot: {
        detail: "เซิร์ฟเวอร์สำรอง {standby} ถือสแนปช็อตที่เก่า {count} ทรานแซกชัน",
        next: "หาคำสั่งที่ใช้เวลานานที่นั่น หรือปิด hot_standby_feedback",
    },
    hidden_sessions: { detail: "ผู้ใช้นี้เห็นเฉพาะเซสชันของตน เซสชันอื่นอาจถือสแนปช็อตเก่า" },
    partitions_there: { detail: "มีพร้อมสำหรับสัปดาห์ต่อ ๆ ไป" },
    partitions_missing: {
        detail: "ขาด: {names}",
        next: "select pawl.ensure_partitions() เวิร์กเกอร์ทำทุกชั่วโมง ดูในบันทึกว่าทำไมทำไม่ได้",
    },
    strayed_rows: {
        detail: "มีแถวอยู่ใน {names} เพราะนาฬิกาเดินเร็ว หรือไม่มีพาร์ทิชันเมื่อแถวมาถึง",
        next: "ไม่มีอะไรหาย --retention ลบทีละแถว ดู docs/runbook.md, missing partitions",
    },
    none_dead: { detail: "ไม่มี" },
    dead_worker: {
        detail: "{worker} (pid {pid} บน {host}) เงียบไป {age} ถืออยู่ {count} รัน",
        next: "เวิร์กเกอร์อื่นรับรันต่อในไม่กี่วินาที หากยังเป็นอยู่ ดูบันทึกของเวิร์กเกอร์",
    },
    last_worker_dead: {
        detail: "{worker} (pid {pid} บน {host}) เงียบไป {age} ถืออยู่ {count} รัน",
        next: "ไม่มีเวิร์กเกอร์ทำงานอยู่ เริ่มหนึ่งตัว (pawl worker) แล้วจะรับรันต่อ",
    },
    none_stuck: { detail: "ไม่มี" },
    orphaned_runs: { detail: "มี {count} รันที่เวิร์กเกอร์ซึ่งหายไปแล้วถืออยู่ เช่น {run}" },
    slow_runs: {
        detail: "มี {count} รันที่ทำอยู่โดยไม่มีความคืบหน้ามานาน เช่น {run} ตั้งแต่ {since}",
        next: "ขั้นตอนใช้เวลานานหรือค้าง: pawl runs show {run} แล้ว pawl runs cancel หรือ skip",
    },
    unread_messages: {
        detail: "มี {count} ข้อความถึงรันที่ไม่มีเวิร์กเกอร์รับ เช่นถึง {run} ตั้งแต่ {since}",
        next: "มีเวิร์กเกอร์ทำงานอยู่หรือไม่ pawl runs why {run}",
    },
    no_lag: { detail: "เหตุการณ์ ตารางเวลา และงานเป็นปัจจุบัน" },
    events_behind: {
        detail: "มีเหตุการณ์ที่ยังไม่ได้จับคู่กับรันที่รอ เก่าที่สุดตั้งแต่ {since}",
        next: "เวิร์กเกอร์เป็นผู้ทำ มีทำงานอยู่หรือไม่ และบันทึกบอกอะไร",
    },
    starts_behind: {
        detail: "มีเหตุการณ์ที่ควรเริ่มรันแล้ว เก่าที่สุดตั้งแต่ {since}",
        next: "เวิร์กเกอร์เป็นผู้ทำ มีทำงานอยู่หรือไม่ และบันทึกบอกอะไร",
    },
    schedules_behind: {
        detail: "มีตารางเวลาที่ควรทำงานแล้ว เก่าที่สุดตั้งแต่ {since}",
        next: "เวิร์กเกอร์เป็นผู้ทำ มีทำงานอยู่หรือไม่ และบันทึกบอกอะไร",
    },
    tasks_behind: {
        detail: "มีงานค้างในคิวของฐานข้อมูล เก่าที่สุดตั้งแต่ {since}",
        next: "เวิร์กเกอร์เป็นผู้ทำ มีทำงานอยู่หรือไม่ และบันทึกบอกอะไร",
    },
    none_closed_and_open: { detail: "ไม่มีรันที่ทั้งจบแล้วและยังเปิดอยู่" },
    closed_and_open: { detail: "มี {count} รันที่ทั้งจบแล้วและยังเปิดอยู่" },
    gates_right: { detail: "ประตูนับสิ่งที่อยู่ข้างในถูกต้อง" },
    gate_wrong: {
        detail: "ประตู {gate} นับผิด: {why}",
        next: "แจ้งปัญหาพร้อมบรรทัดนี้ ตั้งขีดจำกัดใหม่แล้วประตูจะนับใหม่: pawl limits set",
    },
    tables_right: { detail: "ตารางที่เฝ้าดูและตารางบุคคลเรียบร้อยดี" },
    watched_table_gone: { detail: "ไม่มีตารางที่เฝ้าดู {table} แล้ว" },
    people_table_gone: {
        detail: "ไม่มีตารางบุคคล {table} แล้ว",
        next: "select pawl.set_person_source(...) ด้วยตารางอื่น",
    },
    watched_column_gone: {
        detail: "ตารางที่เฝ้าดู {table} ไม่มีคอลัมน์ {column} แล้ว",
        next: "select pawl.watch_table('{table}', ...) ด้วยคอลัมน์ที่มีอยู่",
    },
    people_column_gone: {
        detail: "ตารางบุคคล {table} ไม่มีคอลัมน์ {column} แล้ว",
        next: "select pawl.set_person_source('{table}', ...) ด้วยคอลัมน์ที่มีอยู่",
    },
    trigger_lost: {
        detail: "ตารางที่เฝ้าดู {table} ไม่มีทริกเกอร์ {trigger} หรือถูกปิด จึงไม่เห็นการเปลี่ยนแปลง",
        next: "select pawl.watch_table('{table}', ...) อีกครั้ง",
    },
    webhooks_served: { detail: "ทุกปลายทางได้รับข้อความ" },
    webhook_disabled: { detail: "เว็บฮุก {webhook} ขององค์กร {tenant} ถูกปิดตั้งแต่ {since}: {error}" },
    webhook_unsent: {
        detail: "เว็บฮุก {webhook} ขององค์กร {tenant} มี {count} ข้อความรอส่ง เก่าที่สุดตั้งแต่ {since}",
        next: "มี pawl serve หรือ worker ที่มีกุญแจ (PAWL_SECRET_KEY) ทำงานอยู่หรือไม่",
    },
    webhook_waits: {
        detail: "เว็บฮุก {webhook} ขององค์กร {tenant} มี {count} ข้อความรอส่ง เก่าที่สุดตั้งแต่ {since}: {error}",
    },
    webhook_failed: {
        detail: "เว็บฮุก {webhook} ขององค์กร {tenant} ส่งไม่สำเร็จถาวร {count} ข้อความ: {error}",
    },
    queues: { detail: "pgmq: {provider}" },
    queues_missing: {
        detail: "pgmq: {provider} ไม่มี workflow_queue หรือ workflow_dlq",
        next: "select pgmq.create('workflow_queue'), pgmq.create('workflow_dlq') หากให้ข้อความเริ่มรันและส่งรันที่ล้มเหลวออกไป",
    },
};
