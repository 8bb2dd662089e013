#include "model/document.hpp"

#include "base/json.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl {

const Document* Document::find(std::string_view key) const {
    for (const Member& member : members) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

std::string_view Document::text() const {
    return is_text() ? std::string_view(scalar.get_string()) : std::string_view();
}

Document document_from_json(const json::value& value) {
    Document document;
    if (const auto* array = value.if_array()) {
        document.kind = Document::Kind::list;
        for (const json::value& item : *array) document.items.push_back(document_from_json(item));
    } else if (const auto* object = value.if_object()) {
        document.kind = Document::Kind::map;
        for (const auto& [key, item] : *object) {
            document.members.push_back({std::string(key), 0, document_from_json(item)});
        }
    } else {
        document.scalar = value;
    }
    return document;
}

json::value to_json(const Document& document) {
    switch (document.kind) {
        case Document::Kind::scalar: return document.scalar;
        case Document::Kind::list: {
            json::array array;
            array.reserve(document.items.size());
            for (const Document& item : document.items) array.push_back(to_json(item));
            return array;
        }
        case Document::Kind::map: {
            json::object object;
            object.reserve(document.members.size());
            for (const Document::Member& member : document.members) {
                object.emplace(member.key, to_json(member.value));
            }
            return object;
        }
    }
    return nullptr;
}

Error error_at(int line, std::string_view path, std::string_view what) {
    std::string where = line > 0 ? fmt::format("line {}", line) : std::string();
    if (!where.empty() && !path.empty()) where += ", ";
    where += path;
    return {
        Errc::invalid, where.empty() ? std::string(what) : fmt::format("{}: {}", where, what), {}};
}

Problem problem_of(const Error& error) {
    std::string_view rest = error.message;
    constexpr std::string_view word = "line ";
    if (!rest.starts_with(word)) return {0, "", error.message};
    rest.remove_prefix(word.size());
    int line = 0;
    const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), line);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (failed != std::errc{} || !rest.starts_with(": ")) return {0, "", error.message};
    return {line, "", std::string(rest.substr(2))};
}

}  // namespace pawl
