#include "api/http/task_words.hpp"

#include <map>

namespace pawl::api {

namespace {

const SchemaWords& thai_schema_words() {
    static const SchemaWords words{
        "ต้องเป็น{}",
        "หรือ",
        "ต้องเป็นหนึ่งใน {}",
        " และอีก {}",
        "ต้องไม่น้อยกว่า {}",
        "ต้องไม่เกิน {}",
        "ต้องมากกว่า {}",
        "ต้องน้อยกว่า {}",
        "ต้องหารด้วย {} ลงตัว",
        "ต้องไม่ว่าง",
        "ต้องมีอย่างน้อย {} ตัวอักษร",
        "ต้องมีไม่เกิน {} ตัวอักษร",
        "ต้องตรงกับ {}",
        "ต้องมีอย่างน้อย {} รายการ",
        "ต้องมีไม่เกิน {} รายการ",
        "ต้องมีอย่างน้อย {} รายการ",
        "ต้องมีไม่เกิน {} รายการ",
        "จำเป็นต้องกรอก",
        "ไม่ได้ถามหา",
        false,
        "ไม่อนุญาต",
        "ยาวเกินกว่าจะตรวจสอบต่อจากจุดนี้",
        {{{"object", "ชุดข้อมูล"},
          {"array", "รายการ"},
          {"string", "ข้อความ"},
          {"number", "ตัวเลข"},
          {"integer", "จำนวนเต็ม"},
          {"boolean", "ใช่หรือไม่"},
          {"null", " null"}}},
        {{{"date", "วันที่ เช่น 2026-01-31"},
          {"date-time", "วันเวลา เช่น 2026-01-31T09:00:00Z"},
          {"time", "เวลา เช่น 09:30"},
          {"email", "อีเมล เช่น ann@example.com"},
          {"uri", "ที่อยู่เว็บ เช่น https://example.com/page"},
          {"uuid", "รหัส เช่น 0190c5d0-0000-7000-8000-000000000000"}}}};
    return words;
}

}  // namespace

const TaskWords& task_words(std::string_view language) {
    static const TaskWords english{
        "en",
        "A decision",
        "You decide as {}.",
        "Due {}.",
        "What you approve (JSON, may be edited)",
        "required",
        "Reason (needed to reject)",
        "Approve",
        "Reject",
        "This link is not valid. Was it copied as a whole?",
        "This link has expired. Ask for a new one.",
        "There is no such task any more.",
        "Nothing is left to decide: the task is {}.",
        "It was {} by {}.",
        "Thank you. It is {}.",
        "Thank you. Others are asked too.",
        "The reason is too long.",
        "Please say why.",
        "Please choose.",
        "Please look at the fields.",
        "This is not JSON: {}",
        english_schema_words()};
    static const TaskWords thai{
        "th",
        "การตัดสินใจ",
        "คุณตัดสินใจในนาม {}",
        "ครบกำหนด {}",
        "สิ่งที่คุณอนุมัติ (JSON แก้ไขได้)",
        "จำเป็น",
        "เหตุผล (ต้องระบุเมื่อปฏิเสธ)",
        "อนุมัติ",
        "ปฏิเสธ",
        "ลิงก์นี้ใช้ไม่ได้ คัดลอกมาครบหรือไม่",
        "ลิงก์นี้หมดอายุแล้ว โปรดขอลิงก์ใหม่",
        "ไม่มีงานนี้แล้ว",
        "ไม่มีอะไรต้องตัดสินใจแล้ว: งานนี้{}",
        "{}โดย {}",
        "ขอบคุณ งานนี้{}",
        "ขอบคุณ ยังรอการตัดสินใจของผู้อื่นด้วย",
        "เหตุผลยาวเกินไป",
        "โปรดระบุเหตุผล",
        "โปรดเลือก",
        "โปรดตรวจสอบช่องกรอกข้อมูล",
        "ไม่ใช่ JSON: {}",
        thai_schema_words()};
    return language == "th" ? thai : english;
}

std::string state_word(const TaskWords& words, const std::string& state) {
    static const std::map<std::string, const char*, std::less<>> thai{
        {"approved", "อนุมัติแล้ว"},
        {"rejected", "ปฏิเสธแล้ว"},
        {"cancelled", "ยกเลิกแล้ว"},
        {"expired", "หมดเวลาแล้ว"}};
    const auto found = thai.find(state);
    return words.language != "th" || found == thai.end() ? state : found->second;
}

}  // namespace pawl::api
