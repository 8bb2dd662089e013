#include "model/sentence_form.hpp"

#include <algorithm>

namespace pawl {

namespace {

// "{name}", but neither "{{" nor "{table, field}".
std::optional<std::size_t> name_end(std::string_view text, std::size_t open) {
    const std::size_t close = text.find('}', open);
    if (close == text.npos || close == open + 1) return std::nullopt;
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    if (!std::all_of(name.begin(), name.end(), is_letter)) return std::nullopt;
    return close;
}

// Where the next name of the form begins; its length: there is none.
std::size_t next_name(std::string_view form, std::size_t from) {
    for (std::size_t at = form.find('{', from); at != form.npos; at = form.find('{', at + 1)) {
        if (name_end(form, at)) return at;
    }
    return form.size();
}

}  // namespace

std::optional<SentenceValues> values_in(std::string_view form, std::string_view sentence) {
    const std::size_t first = next_name(form, 0);
    if (!sentence.starts_with(form.substr(0, first))) return std::nullopt;
    sentence.remove_prefix(first);
    SentenceValues values;
    for (std::size_t at = first; at < form.size();) {
        const std::size_t close = *name_end(form, at);
        const std::string_view name = form.substr(at + 1, close - at - 1);
        at = next_name(form, close + 1);
        const std::string_view literal = form.substr(close + 1, at - close - 1);
        const std::size_t end = at == form.size() && literal.empty() ? sentence.size()
                                : at == form.size()                  ? sentence.rfind(literal)
                                                                     : sentence.find(literal);
        if (end == sentence.npos) return std::nullopt;
        // What is advice and no value.
        if (name != "rest") values.emplace_back(name, sentence.substr(0, end));
        sentence.remove_prefix(end + literal.size());
    }
    if (!sentence.empty()) return std::nullopt;
    return values;
}

}  // namespace pawl
