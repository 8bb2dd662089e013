#pragma once

#include "model/fields.hpp"
#include "rehearse/mock.hpp"

namespace pawl::rehearse {

// An answer beside other keys: result, error, takes, decision, by, reason, data, event.
Answer read_answer(Fields& fields);

// `mocks:` of a file or of a case; `definition` tells which nodes there are.
Mocks read_mocks(Fields& fields, const Definition& definition);

// Any value, as it is written; null when it is not there.
boost::json::value read_value(Fields& fields, std::string_view key);
// Zero is one too.
std::optional<Duration> read_duration(Fields& fields, std::string_view key);
std::vector<std::string> read_names(Fields& fields, std::string_view key);
// Refuses what is not a node of the definition.
void check_node(
    Fields& fields, std::string_view key, std::string_view id, const Definition& definition
);

}  // namespace pawl::rehearse
