#include "connect/source.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::connect {

namespace {

bool is_nothing(const json::value& value) {
    return value.is_null() || (value.is_string() && value.get_string().empty());
}

bool fits(std::string_view wanted, std::string_view text) {
    if (!wanted.ends_with('*')) return wanted == text;
    wanted.remove_suffix(1);
    return !text.empty() && text.starts_with(wanted);
}

std::string as_text(const json::value& value) {
    std::string out;
    if (!value.is_null()) append_text(out, value);
    return out;
}

}  // namespace

const json::value* Roots::find(const Path& path) const {
    for (const auto& [name, value] : roots_) {
        if (name == path.front().key) return walk(value, path, 1);
    }
    return nullptr;
}

json::object headers_root(const http::Headers& headers) {
    constexpr std::size_t value_bytes_max = 1000;
    json::object all;
    for (const http::Header& header : headers) {
        std::string name = header.name;
        for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        all.emplace(name, as_utf8(header.value, value_bytes_max));
    }
    return all;
}

Result<Sources> Sources::parse(const json::value& value) {
    Sources sources;
    const json::array one{value};
    for (const json::value& item : value.is_array() ? value.get_array() : one) {
        if (!item.is_string() || item.get_string().empty()) {
            return Error{Errc::invalid, "must be a path such as body.id, or a list of them", {}};
        }
        const std::string_view text = item.get_string();
        const bool is_path = text.find("{{") == text.npos;
        std::string made =
            is_path ? fmt::format("{{{{ {} | default: null }}}}", text) : std::string(text);
        if (auto found = placeholders(json::value(made)); !found) return found.error();
        sources.templates_.push_back(std::move(made));
    }
    return sources;
}

json::value Sources::value(const Roots& roots) const {
    for (const std::string& text : templates_) {
        auto value = render(json::value(text), roots.lookup());
        if (value && !is_nothing(*value)) return std::move(*value);
    }
    return nullptr;
}

std::string Sources::text(const Roots& roots) const {
    return as_text(value(roots));
}

Result<Match> Match::parse(const json::value& value) {
    if (!value.is_object()) {
        return Error{Errc::invalid, "must be a map of paths and the values they must have", {}};
    }
    Match match;
    for (const auto& [path, wanted] : value.get_object()) {
        auto source = Sources::parse(json::value(path));
        if (!source) return source.error();
        Test test{std::move(*source), {}};
        const json::array one{wanted};
        for (const json::value& item : wanted.is_array() ? wanted.get_array() : one) {
            if (item.is_structured()) {
                return Error{Errc::invalid, "compares with texts, numbers and booleans", {}};
            }
            test.wanted.push_back(as_text(item));
        }
        match.tests_.push_back(std::move(test));
    }
    return match;
}

bool Match::holds(const Roots& roots) const {
    return std::all_of(tests_.begin(), tests_.end(), [&](const Test& test) {
        const std::string text = test.source.text(roots);
        return std::any_of(test.wanted.begin(), test.wanted.end(), [&](const std::string& wanted) {
            return fits(wanted, text);
        });
    });
}

std::vector<std::string> Match::templates() const {
    std::vector<std::string> all;
    for (const Test& test : tests_) {
        all.insert(all.end(), test.source.templates().begin(), test.source.templates().end());
    }
    return all;
}

}  // namespace pawl::connect
