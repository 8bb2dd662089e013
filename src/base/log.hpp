#pragma once

#include <fmt/core.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace pawl::log {

enum class Level { debug, info, warn, error };
enum class Format { human, json };

// One field of a structured line. Values are text already; numbers are written bare in JSON when
// `number` is true.
struct Field {
    std::string_view key;
    std::string value;
    bool number = false;
};

Field field(std::string_view key, std::string value);
Field field(std::string_view key, std::string_view value);
Field field(std::string_view key, const char* value);
Field field(std::string_view key, long long value);
Field field(std::string_view key, unsigned long long value);
Field field(std::string_view key, int value);
Field field(std::string_view key, unsigned long value);
Field field(std::string_view key, long value);
Field field(std::string_view key, double value);

// Call once at start. Lines go to stderr: stdout is for data.
void configure(Level level, Format format);
bool enabled(Level level);

void write(Level level, std::string_view message, std::initializer_list<Field> fields = {});

inline void debug(std::string_view message, std::initializer_list<Field> fields = {}) {
    if (enabled(Level::debug)) write(Level::debug, message, fields);
}
inline void info(std::string_view message, std::initializer_list<Field> fields = {}) {
    write(Level::info, message, fields);
}
inline void warn(std::string_view message, std::initializer_list<Field> fields = {}) {
    write(Level::warn, message, fields);
}
inline void error(std::string_view message, std::initializer_list<Field> fields = {}) {
    write(Level::error, message, fields);
}

}  // namespace pawl::log
