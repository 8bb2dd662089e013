#include "steps/redacted.hpp"

#include "base/json.hpp"
#include "model/person_root.hpp"

namespace pawl::steps {

namespace {

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Whether "user.COLUMN" stands in the text by itself.
bool names_column(std::string_view text, const std::string& column) {
    const std::string wanted = std::string(person_root) + "." + column;
    for (std::size_t at = text.find(wanted); at != std::string_view::npos;
         at = text.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool begins = at == 0 || (!is_name(text[at - 1]) && text[at - 1] != '.');
        const bool ends = end == text.size() || (!is_name(text[end]) && text[end] != '-');
        if (begins && ends) return true;
    }
    return false;
}

}  // namespace

std::vector<std::string> redacted_columns(const json::value& person) {
    std::vector<std::string> columns;
    const json::value* named = find(person, redacted_member);
    if (named == nullptr || !named->is_array()) return columns;
    for (const json::value& one : named->get_array()) {
        if (one.is_string()) columns.emplace_back(one.get_string());
    }
    return columns;
}

json::value without_redacted(json::value person) {
    const auto columns = redacted_columns(person);
    json::object* known = person.if_object();
    if (known == nullptr) return person;
    for (const std::string& column : columns) known->erase(column);
    known->erase(redacted_member);
    return person;
}

std::string redacted_use(const json::value& written, const std::vector<std::string>& columns) {
    if (columns.empty()) return {};
    if (const json::string* text = written.if_string()) {
        for (const std::string& column : columns) {
            if (names_column(std::string_view(*text), column)) return column;
        }
    } else if (const json::array* list = written.if_array()) {
        for (const json::value& one : *list) {
            if (auto found = redacted_use(one, columns); !found.empty()) return found;
        }
    } else if (const json::object* object = written.if_object()) {
        for (const auto& [key, value] : *object) {
            if (auto found = redacted_use(value, columns); !found.empty()) return found;
        }
    }
    return {};
}

}  // namespace pawl::steps
