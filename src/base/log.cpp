#include "base/log.hpp"

#include "base/clock.hpp"
#include "base/log_names.hpp"
#include "base/terminal.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <utility>

namespace pawl::log {

namespace {

std::atomic<Level> threshold{Level::info};
std::atomic<Format> line_format{Format::human};
std::atomic<bool> document_names{false};

std::string_view key_of(const Field& field) {
    if (!document_names.load(std::memory_order_relaxed)) return field.key;
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"run", "run_id"},
        {"workflow", "workflow_type"},
        {"version", "workflow_version"},
        {"step", "step_name"},
        {"attempt", "attempts"},
        {"worker", "worker_id"},
    };
    for (const auto& [ours, theirs] : names) {
        if (ours == field.key) return theirs;
    }
    return field.key;
}

spdlog::logger& logger() {
    static const auto instance = [] {
        auto made = spdlog::stderr_color_mt("pawl");
        made->set_pattern("%v");
        made->set_level(spdlog::level::trace);
        made->flush_on(spdlog::level::trace);
        return made;
    }();
    return *instance;
}

std::string_view name(Level level) {
    switch (level) {
        case Level::debug: return "debug";
        case Level::info: return "info";
        case Level::warn: return "warn";
        case Level::error: return "error";
    }
    return "error";
}

std::string json_string(std::string_view text) {
    return boost::json::serialize(boost::json::string(text));
}

std::string json_line(Level level, std::string_view message, std::initializer_list<Field> fields) {
    std::string line = fmt::format(
        R"({{"ts":"{}","level":"{}","msg":{})",
        to_rfc3339(wall_now()),
        name(level),
        json_string(message)
    );
    for (const Field& field : fields) {
        if (field.value.empty() && !field.number) continue;
        line += ',';
        line += json_string(key_of(field));
        line += ':';
        line += field.number ? field.value : json_string(field.value);
    }
    line += '}';
    return line;
}

// Quotes and escapes a value with blanks or control characters, so that it cannot forge a log line.
std::string human_value(const Field& field) {
    if (field.number) return field.value;
    for (const char c : field.value) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= ' ' || byte == '"' || byte == 0x7f) return json_string(field.value);
    }
    return field.value;
}

std::string human_line(Level level, std::string_view message, std::initializer_list<Field> fields) {
    std::string line =
        fmt::format("{} {:<5} {}", to_rfc3339(wall_now()).substr(11, 12), name(level), message);
    for (const Field& field : fields) {
        if (field.value.empty() && !field.number) continue;
        line += fmt::format(" {}={}", key_of(field), human_value(field));
    }
    return line;
}

}  // namespace

Field field(std::string_view key, std::string value) {
    return {key, std::move(value), false};
}
Field field(std::string_view key, std::string_view value) {
    return {key, std::string(value), false};
}
Field field(std::string_view key, const char* value) {
    return {key, value, false};
}
Field field(std::string_view key, long long value) {
    return {key, std::to_string(value), true};
}
Field field(std::string_view key, unsigned long long value) {
    return {key, std::to_string(value), true};
}
Field field(std::string_view key, int value) {
    return {key, std::to_string(value), true};
}
Field field(std::string_view key, unsigned long value) {
    return {key, std::to_string(value), true};
}
Field field(std::string_view key, long value) {
    return {key, std::to_string(value), true};
}
Field field(std::string_view key, double value) {
    return {key, fmt::format("{:.3f}", value), true};
}

void configure(Level level, Format format) {
    threshold = level;
    line_format = format;
}

void use_document_names(bool use) {
    document_names = use;
}

bool enabled(Level level) {
    return level >= threshold.load(std::memory_order_relaxed);
}

void write(Level level, std::string_view message, std::initializer_list<Field> fields) {
    if (!enabled(level)) return;
    const bool json = line_format.load(std::memory_order_relaxed) == Format::json;
    // People read it on a terminal: nothing in it may move the cursor or turn the text around.
    const std::string line =
        for_terminal(json ? json_line(level, message, fields) : human_line(level, message, fields));
    const auto severity = level == Level::error  ? spdlog::level::err
                          : level == Level::warn ? spdlog::level::warn
                                                 : spdlog::level::info;
    logger().log(severity, line);
}

}  // namespace pawl::log
