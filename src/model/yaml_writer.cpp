#include "model/yaml_writer.hpp"

#include "base/json.hpp"
#include "base/terminal.hpp"
#include "model/yaml_scalar.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl {

namespace {

constexpr std::size_t columns_max = 100;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Only what cannot be taken for anything else, inside a flow map too. Words such as true and 12
// stand for other values and need quotes.
bool is_plain(std::string_view text) {
    if (text.empty() || (!is_word(text.front()) && text.front() != '/')) return false;
    if (text.back() == ' ') return false;
    const bool safe = std::all_of(text.begin(), text.end(), [](char c) {
        return is_word(c) || std::string_view("-./ +@~$()<>=;").find(c) != std::string_view::npos;
    });
    if (!safe) return false;
    const auto read = yaml_scalar("?", std::string(text));
    return read && read->is_string() && read->get_string() == text;
}

// The bytes of a character at `at` that YAML does not take as it is, and what it is written as.
struct Escape {
    std::size_t bytes = 0;  // 0: none is needed
    std::string text;
};

Escape escape_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t n) {
        return at + n < text.size() ? static_cast<unsigned char>(text[at + n]) : 0U;
    };
    if (byte(0) < 0x20 || byte(0) == 0x7f) return {1, fmt::format("\\x{:02x}", byte(0))};
    if (byte(0) == 0xc2 && byte(1) < 0xa0) return {2, fmt::format("\\u{:04x}", byte(1))};
    // Line separators, a mark of the byte order, and what turns the direction of text around: a
    // terminal would not show them.
    if (byte(0) < 0xc2 || byte(0) > 0xef) return {};
    const std::size_t bytes = byte(0) < 0xe0 ? 2 : 3;
    const unsigned code = bytes == 2
                              ? (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f)
                              : (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    if (!is_terminal_control(code)) return {};
    return {bytes, fmt::format("\\u{:04x}", code)};
}

// A block keeps its text as it is: printable lines without blanks at their ends, the first one
// without an indent.
bool is_block(std::string_view text) {
    if (text.find('\n') == std::string_view::npos) return false;
    if (text.front() == ' ' || text.front() == '\n' || text.back() == ' ') return false;
    if (text.find(" \n") != std::string_view::npos) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n' && escape_at(text, i).bytes > 0) return false;
    }
    return true;
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') {
            out += "\\n";
        } else if (text[i] == '"' || text[i] == '\\') {
            out.append("\\").append(1, text[i]);
        } else if (const Escape escape = escape_at(text, i); escape.bytes > 0) {
            out += escape.text;
            i += escape.bytes - 1;
        } else {
            out += text[i];
        }
    }
    return out + "\"";
}

std::string text_scalar(std::string_view text) {
    return is_plain(text) ? std::string(text) : in_quotes(text);
}

std::string scalar(const json::value& value) {
    if (value.is_string()) return text_scalar(value.get_string());
    if (value.is_bool()) return value.get_bool() ? "true" : "false";
    if (const auto* number = value.if_int64()) return std::to_string(*number);
    if (const auto* number = value.if_uint64()) return std::to_string(*number);
    if (const auto* number = value.if_double()) {
        const std::string text = fmt::format("{}", *number);
        // A fraction stays one.
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }
    return "null";
}

// On one line, while it holds no map inside; nothing when it would be too long.
std::string flow(const json::value& value, bool maps) {
    std::string out;
    if (const auto* array = value.if_array()) {
        for (const json::value& item : *array) {
            const std::string text = flow(item, false);
            if (text.empty() || out.size() > columns_max) return "";
            out += (out.empty() ? "" : ", ") + text;
        }
        return "[" + out + "]";
    }
    if (const auto* object = value.if_object()) {
        if (!maps && !object->empty()) return "";
        for (const auto& [key, item] : *object) {
            const std::string text = flow(item, false);
            if (text.empty() || out.size() > columns_max) return "";
            out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", text_scalar(key), text);
        }
        return "{" + out + "}";
    }
    const bool long_text = value.is_string() && is_block(value.get_string());
    return long_text ? "" : scalar(value);
}

class Writer {
public:
    std::string run(const json::value& value) {
        if (value.is_object() && !value.get_object().empty()) {
            write_map(value.get_object(), 0, false);
        } else {
            write_value(value, 0, 0, "");
        }
        return std::move(out_);
    }

private:
    void indent(std::size_t depth) { out_.append(2 * depth, ' '); }

    // After "key:" or "-", which end in `column`. A value on the same line begins with `space`.
    void write_value(
        const json::value& value, std::size_t depth, std::size_t column, std::string_view space
    ) {
        if (value.is_string() && is_block(value.get_string())) {
            out_ += space;
            return write_block(value.get_string(), depth);
        }
        const std::string line = flow(value, true);
        const bool fits = !line.empty() && column + 1 + line.size() <= columns_max;
        const bool empty = (value.is_array() && value.get_array().empty()) ||
                           (value.is_object() && value.get_object().empty());
        if (fits || empty || !value.is_structured()) {
            out_.append(space).append(line).append("\n");
            return;
        }
        if (!space.empty()) out_ += '\n';
        if (value.is_array()) {
            write_list(value.get_array(), depth);
        } else {
            write_map(value.get_object(), depth, false);
        }
    }

    void write_map(const json::object& object, std::size_t depth, bool first_indented) {
        for (const auto& [key, item] : object) {
            if (!first_indented) indent(depth);
            first_indented = false;
            const std::string name = text_scalar(key);
            out_.append(name).append(":");
            write_value(item, depth + 1, 2 * depth + name.size() + 1, " ");
        }
    }

    void write_list(const json::array& array, std::size_t depth) {
        for (const json::value& item : array) {
            indent(depth);
            out_ += '-';
            const std::string line = flow(item, true);
            const bool fits = !line.empty() && 2 * depth + 2 + line.size() <= columns_max;
            if (item.is_object() && !item.get_object().empty() && !fits) {
                out_ += ' ';
                write_map(item.get_object(), depth + 1, true);
            } else {
                write_value(item, depth + 1, 2 * depth + 1, " ");
            }
        }
    }

    void write_block(std::string_view text, std::size_t depth) {
        const bool ends = text.back() == '\n';
        const bool keeps = text.ends_with("\n\n");
        out_.append(keeps ? "|+" : ends ? "|" : "|-").append("\n");
        if (ends) text.remove_suffix(1);
        while (true) {
            const std::size_t end = text.find('\n');
            const std::string_view line = text.substr(0, end);
            if (!line.empty()) indent(std::max<std::size_t>(depth, 1));
            out_.append(line).append("\n");
            if (end == std::string_view::npos) return;
            text.remove_prefix(end + 1);
        }
    }

    std::string out_;
};

}  // namespace

std::string to_yaml(const json::value& value) {
    return Writer().run(value);
}

}  // namespace pawl
