#include "model/fields.hpp"

#include "base/cut_text.hpp"
#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/suggest.hpp"
#include "model/template.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl {

namespace {

// Longer ones say no more, and all that lies below a key of a megabyte would carry it along.
constexpr std::size_t path_bytes_max = 500;

std::string join(std::string_view path, std::string_view key) {
    if (path.size() > path_bytes_max) return std::string(path);
    const std::string shown = cut_text(key, path_bytes_max);
    return path.empty() ? shown : fmt::format("{}.{}", path, shown);
}

void check_templates(const Document& document, const std::string& path, Problems& problems) {
    if (document.is_text() && document.text().find("{{") != std::string_view::npos) {
        const auto found = placeholders(document.scalar);
        if (!found) problems.add(document.line, path, found.error().message);
    }
    for (std::size_t i = 0; i < document.items.size(); ++i) {
        if (problems.full()) return;
        check_templates(document.items[i], fmt::format("{}[{}]", path, i), problems);
    }
    for (const auto& member : document.members) {
        check_templates(member.value, join(path, member.key), problems);
    }
}

std::vector<std::string_view> sorted(std::vector<std::string_view> words) {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

std::optional<double> as_number(const json::value& value) {
    if (const auto* number = value.if_int64()) return static_cast<double>(*number);
    if (const auto* number = value.if_uint64()) return static_cast<double>(*number);
    if (const auto* number = value.if_double()) return *number;
    return std::nullopt;
}

}  // namespace

Fields::Fields(const Document& map, std::string path, Problems& problems)
    : map_(map), path_(std::move(path)), problems_(problems) {
    if (map_.kind != Document::Kind::map) wrong("must be a map of keys and values");
}

const Document* Fields::take(std::string_view key) {
    known_.push_back(real(key));
    const Document* found = map_.find(real(key));
    const bool absent =
        found == nullptr || (found->kind == Document::Kind::scalar && found->scalar.is_null());
    return absent ? nullptr : found;
}

std::optional<std::string> Fields::text(std::string_view key) {
    const Document* found = take(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_text()) {
        wrong(key, "must be text");
        return std::nullopt;
    }
    return std::string(found->text());
}

std::optional<std::string> Fields::template_text(std::string_view key) {
    if (const Document* found = map_.find(real(key))) {
        check_templates(*found, path_of(key), problems_);
    }
    return text(key);
}

std::optional<std::int64_t> Fields::whole(std::string_view key, WholeRange range) {
    const Document* found = take(key);
    if (found == nullptr) return std::nullopt;
    const auto* number = found->scalar.if_int64();
    if (number == nullptr || *number < range.min || *number > range.max) {
        wrong(key, fmt::format("must be a whole number from {} to {}", range.min, range.max));
        return std::nullopt;
    }
    return *number;
}

std::optional<double> Fields::number(std::string_view key, NumberRange range) {
    const Document* found = take(key);
    if (found == nullptr) return std::nullopt;
    const auto number = as_number(found->scalar);
    if (!number || !(*number >= range.min && *number <= range.max)) {
        wrong(key, fmt::format("must be a number from {} to {}", range.min, range.max));
        return std::nullopt;
    }
    return number;
}

std::optional<Duration> Fields::positive_duration(std::string_view key) {
    const Document* found = take(key);
    if (found == nullptr) return std::nullopt;
    if (found->kind != Document::Kind::scalar) {
        wrong(key, "must be a duration such as \"30s\" or \"5m\"");
        return std::nullopt;
    }
    auto duration = duration_from_json(found->scalar);
    if (!duration) {
        wrong(key, duration.error().message);
        return std::nullopt;
    }
    if (*duration <= Duration::zero()) {
        wrong(key, "must be longer than zero");
        return std::nullopt;
    }
    return *duration;
}

std::optional<json::value> Fields::any(std::string_view key) {
    known_.push_back(real(key));
    const Document* found = map_.find(real(key));
    if (found == nullptr) return std::nullopt;
    check_templates(*found, path_of(key), problems_);
    return to_json(*found);
}

void Fields::finish() {
    for (const auto& member : map_.members) {
        if (problems_.full()) return;
        if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
        std::string hint = suggest(member.key, known_);
        if (hint.empty())
            hint = fmt::format(": known here are {}", fmt::join(sorted(known_), ", "));
        problems_.add(member.line, path_of(member.key), fmt::format("unknown key{}", hint));
    }
}

std::string Fields::path_of(std::string_view key) const {
    return join(path_, real(key));
}

void Fields::wrong(std::string_view key, std::string_view what) {
    const Document* found = map_.find(real(key));
    problems_.add(found == nullptr ? map_.line : found->line, path_of(key), what);
}

bool is_identifier(std::string_view text, bool dots) {
    constexpr std::size_t length_max = 100;
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (text.empty() || text.size() > length_max || !is_letter(text.front())) return false;
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || (dots && c == '.');
    });
}

}  // namespace pawl
