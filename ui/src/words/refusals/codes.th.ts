import type { Schemas } from "@/data/schemas";

export type ProblemCode = Schemas["Problem"]["code"];

/** Codes that these pages never meet, and why. */
export const neverMet = {
    already_answered: "of the callback of a step, which programs call",
    expired: "of the callback of a step, which programs call",
    bad_signature: "of hooks, which providers call",
    invalid_hook: "of hooks, which providers call",
    invalid_body: "of events that are not JSON; these pages send JSON",
    invalid_token: "of callbacks, and of pages for people without an account, which have own words",
    no_link_secret: "of pages for people without an account, which have own words",
    nothing_to_approve: "of /workflows/{run}/approve, which programs call",
    which_step: "of /workflows/{run}/approve, which programs call",
    run_not_found: "of /workflows/{run}, which programs call",
    run_failed: "of the command line, which waits for a run",
    fenced: "of the work of a worker, never of a request",
    not_held: "of the work of a worker, never of a request",
} as const satisfies Partial<Record<ProblemCode, string>>;

/**
 * What a problem is called, with its `values`. `{detail}` is the sentence of the server: it stands
 * where it says more than the values do.
 */
export const refusals: Record<Exclude<ProblemCode, keyof typeof neverMet>, string> = {
    // Of any request.
    internal: "เซิร์ฟเวอร์ขัดข้อง บันทึกของเซิร์ฟเวอร์บอกสาเหตุ",
    unavailable: "ใช้งานไม่ได้ชั่วคราว ลองใหม่อีกครั้ง",
    timeout: "ใช้เวลานานเกินไป ลองใหม่อีกครั้ง",
    unauthenticated: "ยังไม่ได้ยืนยันตัวตน หรือคีย์ใช้ไม่ได้แล้ว",
    forbidden: "ไม่มีสิทธิ์ “{scope}” สำหรับสิ่งนี้ ขอจากผู้ดูแล",
    not_found: "ไม่พบสิ่งที่ขอ: {detail}",
    conflict: "ขัดกับสิ่งที่มีอยู่: {detail}",
    invalid: "คำขอไม่ถูกต้อง: {detail}",
    too_large: "ใหญ่เกินไป: {detail}",
    validation_failed: "ข้อมูลไม่ถูกต้อง: {places}",
    invalid_parameter: "พารามิเตอร์ไม่ถูกต้อง: {places}",
    invalid_json: "อ่านข้อมูลไม่ได้ ไม่ใช่ JSON ที่ถูกต้อง",
    invalid_path: "ที่อยู่มีอักขระที่อ่านไม่ได้",
    unsupported_media_type: "ชนิดของข้อมูลไม่ถูกต้อง ต้องเป็น JSON",
    method_not_allowed: "เซิร์ฟเวอร์ไม่รับการเรียกแบบนี้ที่ที่อยู่นี้",
    body_too_large: "ข้อมูลที่ส่งใหญ่เกินไป",
    csrf: "คำขอไม่ได้มาจากหน้าเว็บของเซิร์ฟเวอร์นี้ ตรวจ --public-url หรือโหลดหน้าใหม่",
    idempotency_key_reused: "Idempotency-Key นี้ใช้กับคำขออื่นไปแล้ว ใช้คีย์ใหม่",
    answer_not_kept: "ทำไปแล้วก่อนหน้านี้ และคำตอบมีความลับที่ไม่ได้เก็บไว้ ใช้ Idempotency-Key ใหม่",
    too_many_streams: "มีหน้าที่ติดตามสดเปิดอยู่มากเกินไป ปิดบางหน้าแล้วลองใหม่",
    too_many_attempts: "ลงชื่อเข้าใช้ผิดหลายครั้งเกินไป รอสักครู่แล้วลองใหม่",
    no_session: "สลับได้เฉพาะเมื่อลงชื่อเข้าใช้ด้วยเซสชัน คีย์เป็นขององค์กรเดียว",
    not_you: "คุณคือ {person} ทำในนามของ {other} ไม่ได้",
    // Of runs and their steps.
    run_closed: "รันนี้จบแล้ว ({status}) ส่งอะไรถึงไม่ได้อีก",
    not_retryable: "ลองใหม่ได้เฉพาะรันที่ล้มเหลวหรือถูกยกเลิก รันนี้คือ “{status}”",
    not_reached: "รันไม่เคยไปถึงขั้นตอน “{step}”",
    not_awaited: "รันไม่ได้รอสัญญาณ “{signal}” ส่งล่วงหน้าได้ด้วย early: true",
    not_open: "ข้ามขั้นตอน “{step}” ไม่ได้ เพราะรันไม่ได้อยู่ที่ขั้นตอนนี้",
    not_unknown: "ขั้นตอน “{step}” ไม่ได้รอให้ใครแจ้งผล",
    not_entered: "เข้าเวิร์กโฟลว์ “{workflow}” ไม่ได้ เพราะไม่ตรงตามเงื่อนไขการเข้า (enter_if)",
    payload_too_large: "ข้อมูลของรันใหญ่เกินกว่าที่องค์กรกำหนด",
    too_many_open_runs: "องค์กรมีรันที่ยังไม่จบเต็มจำนวนแล้ว ลองใหม่เมื่อบางรันจบ",
    too_many_starts: "เริ่มรันเร็วเกินกว่าที่องค์กรกำหนด ลองใหม่อีกสักครู่",
    // Of workflows and their versions.
    invalid_definition: "เวิร์กโฟลว์ไม่ถูกต้อง: {detail}",
    unreadable_definition: "อ่านเวิร์กโฟลว์ “{workflow}” รุ่น {version} ไม่ได้: {why}",
    workflow_inactive: "เวิร์กโฟลว์ “{workflow}” ไม่ได้เปิดใช้งาน เปิดใช้งานก่อน",
    workflow_switched_off: "เวิร์กโฟลว์ “{workflow}” ถูกปิดไว้: {why}",
    version_inactive: "รุ่น {version} ของเวิร์กโฟลว์ “{workflow}” ไม่ได้ใช้งาน เปิดใช้งานหรือให้ส่วนแบ่ง",
    version_retired: "รุ่น {version} ของเวิร์กโฟลว์ “{workflow}” เลิกใช้แล้ว ยืนยันหากยังต้องการเริ่ม",
    version_exists: "มีรุ่นที่ใช้ชื่อนี้แล้ว: {detail}",
    not_possible: "ทำไม่ได้: {detail}",
    open_runs: "เวิร์กโฟลว์ “{workflow}” มีรันที่ยังไม่จบ {count} รัน รอให้จบหรือยกเลิกก่อน",
    draft_changed: "{person} เปลี่ยนฉบับร่างไปแล้วในระหว่างนี้",
    tests_changed: "ชุดทดสอบถูกเปลี่ยนไปแล้วในระหว่างนี้ อ่านใหม่อีกครั้ง",
    // Of schedules and jobs.
    schedule_failing: "ตารางเวลาใช้ไม่ได้: {why}",
    backfill_under_way: "กำลังเติมรันย้อนหลังของตารางเวลา {schedule} รอให้จบหรือยกเลิกก่อน",
    busy: "เพิ่งอ่านไปเมื่อครู่ ลองใหม่อีกครั้ง",
    no_audience: "ตารางเวลา {schedule} ไม่มีกลุ่มเป้าหมาย แต่ละรอบเริ่มรันเดียว",
    no_sql_login: "เซิร์ฟเวอร์ต้องมีการเชื่อมต่อสำหรับอ่านกลุ่มเป้าหมาย: pawl serve --sql-url",
    job_over: "งานกลุ่มนี้จบแล้ว ({status}) ไม่มีอะไรให้ทำต่อ",
    not_pausable: "หยุดชั่วคราวได้เฉพาะงานของกลุ่มเป้าหมาย งานอื่นให้ยกเลิก",
    // Of tasks.
    task_closed: "งานนี้ปิดแล้ว ({status})",
    task_overdue: "หมดเวลาตัดสินใจแล้ว",
    task_claimed: "{person} รับงานนี้ไว้แล้ว ผู้รับคืนงานได้",
    not_asked: "{person} ไม่ใช่ผู้ที่ถูกขอให้ตัดสินใจ",
    already_approved: "{person} ตัดสินใจไปแล้ว",
    excluded: "{person} ตัดสินใจเรื่องนี้ไม่ได้ เพราะขั้นตอนกันไว้ (exclude)",
    already_asked: "{person} ถูกขอให้ตัดสินใจอยู่แล้ว และมีหนึ่งเสียง มอบให้คนอื่น",
    // Of messages and the people who get them.
    invalid_connector: "อ่านตัวเชื่อมต่อ “{connector}” ไม่ได้: {why}",
    invalid_account: "บัญชีของตัวเชื่อมต่อไม่ถูกต้อง: {detail}",
    invalid_address: "ที่อยู่ผู้รับไม่ถูกต้อง: {detail}",
    invalid_content: "เนื้อหาข้อความไม่ถูกต้อง: {detail}",
    name_taken: "“{connector}” มากับ Pawl ตั้งชื่ออื่น",
    not_own: "“{connector}” มากับ Pawl ลบไม่ได้",
    has_accounts: "“{connector}” ยังมีบัญชี “{account}” ลบบัญชีก่อน",
    shares_accounts: "“{connector}” ใช้บัญชีของ “{owner}” ใส่ไว้ที่นั่น",
    people_elsewhere: "ข้อมูลบุคคลขององค์กรนี้อยู่ในตาราง {table} แก้ไขที่นั่น",
    template_included: "เทมเพลต “{by}” ใช้ “{template}” อยู่",
    // Of what is kept secret.
    no_key: "ไม่มีคีย์ “{key}”",
    no_secret_key: "เซิร์ฟเวอร์ไม่มีกุญแจสำหรับเข้ารหัสความลับ ตั้ง PAWL_SECRET_KEY ก่อน",
};

/** What is not there, by the name of its value in a problem `not_found`; the first counts. */
export const kinds = {
    version: "รุ่น “{version}” ของ “{of}”",
    account: "บัญชี “{account}”",
    connector: "ตัวเชื่อมต่อ “{connector}”",
    credential: "ความลับ “{credential}”",
    job: "งานกลุ่ม “{job}”",
    limit: "ขีดจำกัด “{limit}”",
    message: "ข้อความ “{message}”",
    person: "บุคคล “{person}”",
    run: "รัน “{run}”",
    schedule: "ตารางเวลา “{schedule}”",
    task: "งาน “{task}”",
    template: "เทมเพลต “{template}”",
    tenant: "องค์กร “{tenant}”",
    webhook: "เว็บฮุก “{webhook}”",
    workflow: "เวิร์กโฟลว์ “{workflow}”",
};
