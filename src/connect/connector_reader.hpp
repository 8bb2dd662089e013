#pragma once

#include "connect/connector.hpp"
#include "model/fields.hpp"

#include <array>
#include <string_view>
#include <utility>

// Shared by the files that read a connector.
namespace pawl::connect {

// Reads one of a closed list of words.
template <class Enum, std::size_t count>
std::optional<Enum> read_word(
    Fields& fields,
    std::string_view key,
    const std::array<std::pair<std::string_view, Enum>, count>& words
) {
    const auto text = fields.text(key);
    if (!text) return std::nullopt;
    std::string known;
    for (const auto& [word, value] : words) {
        if (word == *text) return value;
        known += (known.empty() ? "" : ", ") + std::string(word);
    }
    fields.wrong(key, "must be one of " + known);
    return std::nullopt;
}

Sources read_sources(Fields& fields, std::string_view key);
Match read_match(Fields& fields, std::string_view key);
bool read_flag(Fields& fields, std::string_view key);
// A member that is a map, with its own place; null when there is none.
const Document* read_map(Fields& fields, std::string_view key);

// `place`: where it stands in the connector.
RequestShape read_request(const Document& map, std::string place, Problems& problems);
// A list of rules about what a provider answers.
struct RuleList {
    std::string place;    // of the list in the connector: reconcile.answers
    const char* missing;  // what a list would look like
    std::array<std::pair<std::string_view, Means>, 4> means;
    Means otherwise;                                           // of a rule that does not say it
    void (*rest)(Fields& fields, AnswerRule& rule) = nullptr;  // reads what only these rules have
};
std::vector<AnswerRule> read_rules(Fields& fields, const RuleList& list);
std::vector<AnswerRule> read_answers(Fields& fields);
InquiryShape read_inquiry(const Document& map, Problems& problems);
BatchShape read_batch(const Document& map, const Connector& connector, Problems& problems);
void read_errors(Fields& fields, Connector& connector);
HookShape read_hooks(const Document& map, Problems& problems);

// What only the whole can show: templates that name a root or a credential that is not there.
void check_names(const Connector& connector, Problems& problems);

}  // namespace pawl::connect
