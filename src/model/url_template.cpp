#include "model/url_template.hpp"

#include "base/json.hpp"
#include "base/url_slashes.hpp"
#include "model/credential_root.hpp"
#include "model/template_syntax.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace pawl {

namespace {

constexpr std::string_view path_starts = "/?#\\";
constexpr std::size_t placeholders_max = 100;
constexpr std::size_t url_bytes_max = 64 << 10;

enum class Part { start, authority, rest };

// Which part of a URL follows on what there is of it.
Part part_after(std::string_view before) {
    const std::size_t slashes = slashes_after_scheme(before);
    if (slashes == before.npos) {
        return before.find_first_of(path_starts) == before.npos ? Part::start : Part::rest;
    }
    // libcurl takes one slash or three for two, so the path does not begin with any of them.
    const std::size_t from = std::min(before.find_first_not_of("/\\", slashes), before.size());
    return before.find_first_of(path_starts, from) == before.npos ? Part::authority : Part::rest;
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_unreserved(char c) {
    return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

void append_encoded(std::string& out, std::string_view value) {
    for (const char c : value) {
        if (is_unreserved(c)) {
            out += c;
        } else {
            fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
        }
    }
}

// "example.com", "example.com:8080", "[::1]:80", or a part of one.
bool is_host(std::string_view value) {
    return std::all_of(value.begin(), value.end(), [](char c) {
        return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_' || c == ':' || c == '[' ||
               c == ']';
    });
}

bool is_user_part(std::string_view after) {
    return after.substr(0, after.find_first_of(path_starts)).find('@') != after.npos;
}

Error refused(const Placeholder& placeholder, std::string_view why) {
    return {Errc::invalid, fmt::format("{{{{{}}}}} {}", placeholder.text, why), {}};
}

// What of `url` is the segment of the path around `at`.
std::string_view segment_at(std::string_view url, std::size_t at) {
    const std::size_t before = at == 0 ? url.npos : url.find_last_of(path_starts, at - 1);
    const std::size_t begin = before == url.npos ? 0 : before + 1;
    return url.substr(begin, url.find_first_of(path_starts, at) - begin);
}

// "." or "..", however it is written: a server that reads a URL takes %2e for a dot.
bool is_dots(std::string_view segment) {
    std::size_t dots = 0;
    while (!segment.empty()) {
        const bool plain = segment.front() == '.';
        if (!plain && !segment.starts_with("%2e") && !segment.starts_with("%2E")) return false;
        segment.remove_prefix(plain ? 1 : 3);
        ++dots;
    }
    return dots == 1 || dots == 2;
}

class UrlRenderer {
public:
    explicit UrlRenderer(const PathLookup& lookup) : lookup_(lookup) {}

    Result<std::string> render(std::string_view text) {
        std::size_t placeholders = 0;
        for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{")) {
            // Each takes a look at the whole URL.
            if (++placeholders > placeholders_max) {
                return Error{
                    Errc::too_large,
                    fmt::format("a URL may hold {} placeholders at most", placeholders_max),
                    {}};
            }
            out_.append(text.substr(0, at));
            text.remove_prefix(at);
            auto expression = take_expression(text);
            if (!expression) return expression.error();
            if (auto done = put(*expression, part_after(out_), text); !done) return done.error();
            if (out_.size() > url_bytes_max) {
                return Error{Errc::too_large, "the URL is longer than 64 KiB", {}};
            }
        }
        out_.append(text);
        const std::size_t query = out_.find_first_of("?#");
        for (const Value& value : values_) {
            if (value.at > query) continue;
            if (!is_dots(segment_at(out_, value.at))) continue;
            return refused(value.placeholder, "would be '.' or '..' in the path of the URL");
        }
        return std::move(out_);
    }

private:
    struct Value {
        std::size_t at;
        Placeholder placeholder;
    };

    Result<void> put(TemplateExpression& expression, Part part, std::string_view after) {
        Placeholder& placeholder = expression.placeholder;
        const json::value* value = placeholder.path.empty() ? nullptr : lookup_(placeholder.path);
        if (value == nullptr || value->is_null()) {
            if (expression.fallback) value = &*expression.fallback;
        }
        if (value == nullptr) {
            return Error{Errc::invalid, fmt::format("undefined: {}", placeholder.text), {}};
        }
        std::string text;
        append_text(text, *value);
        // What the author wrote as a literal is no data, and nor is what stands for a secret.
        const bool literal = placeholder.path.empty();
        const bool hidden =
            !literal && placeholder.path[0].key == credentials_root && text == hidden_text;
        if (part == Part::start || literal || hidden) {
            out_ += text;
        } else if (part == Part::rest) {
            values_.push_back({out_.size(), std::move(placeholder)});
            append_encoded(out_, text);
        } else if (is_user_part(after)) {
            append_encoded(out_, text);
        } else if (is_host(text)) {
            out_ += text;
        } else {
            return refused(placeholder, "stands in the host of the URL, and its value is no host");
        }
        return {};
    }

    const PathLookup& lookup_;
    std::string out_;
    std::vector<Value> values_;
};

}  // namespace

bool is_whole_placeholder(std::string_view text) {
    return text.starts_with("{{") && take_expression(text) && text.empty();
}

Result<std::string> render_url(std::string_view text, const PathLookup& lookup) {
    return UrlRenderer(lookup).render(text);
}

bool data_in_host(std::string_view text) {
    if (is_whole_placeholder(text)) return false;
    std::string before;
    for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{")) {
        before.append(text.substr(0, at));
        text.remove_prefix(at);
        const auto expression = take_expression(text);
        if (!expression) return false;
        const Path& path = expression->placeholder.path;
        if (part_after(before) == Part::rest) return false;
        if (!path.empty() && path[0].key != credentials_root) return true;
        before += 'x';
    }
    return false;
}

}  // namespace pawl
