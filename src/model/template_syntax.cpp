#include "model/template_syntax.hpp"

#include "base/json.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl {

namespace {

constexpr std::size_t segments_max = 32;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// Bytes above ASCII are letters of some script.
bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

Error malformed(std::string_view inside, std::string_view why) {
    constexpr std::size_t shown_max = 60;
    return {
        Errc::invalid,
        fmt::format("malformed placeholder '{{{{{}}}}}': {}", inside.substr(0, shown_max), why),
        {}};
}

// Where the closing "}}" stands. Quotes and nested braces of a default are skipped over.
std::size_t find_close(std::string_view text) {
    std::size_t depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (depth > 0 && (c == '}' || c == ']')) {
            --depth;
        } else if (c == '}' && text.substr(i, 2) == "}}") {
            return i;
        }
    }
    return std::string_view::npos;
}

Result<json::value> parse_literal(std::string_view text, std::string_view inside) {
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
        // YAML writers are already inside double quotes: 'text' saves them the escapes.
        return json::value(text.substr(1, text.size() - 2));
    }
    auto value = parse_json(text, {.bytes_max = 64 << 10, .depth_max = 16});
    if (!value) return malformed(inside, "a default is a JSON literal such as 0, true or \"text\"");
    return value;
}

// Reads one "[0]" or "[\"key\"]" off the front.
bool take_bracket(std::string_view& text, PathSegment& segment) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    std::string_view content = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    if (content.size() > 2 && (content.front() == '"' || content.front() == '\'') &&
        content.back() == content.front()) {
        segment.key = content.substr(1, content.size() - 2);
        return true;
    }
    segment.is_index = true;
    const auto [end, failed] =
        std::from_chars(content.data(), content.data() + content.size(), segment.index);
    return failed == std::errc{} && end == content.data() + content.size();
}

Result<Path> parse_path(std::string_view text, std::string_view inside) {
    Path path;
    bool key_due = true;
    while (!text.empty()) {
        if (path.size() == segments_max) return malformed(inside, "the path is too deep");
        PathSegment segment;
        if (key_due) {
            std::size_t length = 0;
            while (length < text.size() && is_name(text[length])) ++length;
            if (length == 0) break;
            segment.key = text.substr(0, length);
            text.remove_prefix(length);
            key_due = false;
        } else if (text.front() == '[') {
            if (!take_bracket(text, segment)) {
                return malformed(inside, "brackets hold an index or a quoted key");
            }
        } else if (text.front() == '.') {
            text.remove_prefix(1);
            key_due = true;
            continue;
        } else {
            break;
        }
        path.push_back(std::move(segment));
    }
    if (path.empty() && text.empty()) return malformed(inside, "it is empty");
    if (!text.empty() || key_due) {
        return malformed(inside, "a path looks like customer.emails[0].address");
    }
    return path;
}

// The "| default: x" part, without the bar.
Result<json::value> parse_filter(std::string_view text, std::string_view inside) {
    constexpr std::string_view word = "default";
    text = trim(text);
    if (!text.starts_with(word)) return malformed(inside, "the only filter is '| default: value'");
    text = trim(text.substr(word.size()));
    if (!text.starts_with(':')) return malformed(inside, "write the default as '| default: value'");
    return parse_literal(trim(text.substr(1)), inside);
}

}  // namespace

Result<TemplateExpression> take_expression(std::string_view& text) {
    const std::string_view body = text.substr(2);
    const std::size_t close = find_close(body);
    if (close == std::string_view::npos) {
        const std::size_t end = body.find("}}");
        if (end != std::string_view::npos) {
            return malformed(body.substr(0, end), "a quote or bracket is not closed");
        }
        constexpr std::size_t shown_max = 60;
        return Error{
            Errc::invalid,
            fmt::format("placeholder '{}' is not closed with '}}}}'", text.substr(0, shown_max)),
            {}};
    }
    const std::string_view inside = body.substr(0, close);
    text.remove_prefix(close + 4);

    TemplateExpression expression;
    const std::string_view content = trim(inside);
    if (content.starts_with('"') || content.starts_with('\'')) {
        auto literal = parse_literal(content, inside);
        if (!literal) return literal.error();
        expression.fallback = std::move(*literal);
        return expression;
    }
    const std::size_t bar = content.find('|');
    const std::string_view path_text = trim(content.substr(0, bar));
    auto path = parse_path(path_text, inside);
    if (!path) return path.error();
    expression.placeholder = {std::move(*path), std::string(path_text), false};
    if (bar != std::string_view::npos) {
        auto fallback = parse_filter(content.substr(bar + 1), inside);
        if (!fallback) return fallback.error();
        expression.fallback = std::move(*fallback);
        expression.placeholder.has_default = true;
    }
    return expression;
}

}  // namespace pawl
