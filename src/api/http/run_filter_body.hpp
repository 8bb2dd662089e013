#pragma once

#include "api/http/body.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

inline constexpr const char* status_rule =
    "must be queued, running, waiting, completed, failed or cancelled";

// "failed,cancelled"; nothing when one of them is no status.
std::optional<std::vector<std::string>> parse_statuses(std::string_view text);

inline constexpr std::size_t error_text_max = 500;  // characters

// What is wrong with conditions on data as people write them; empty: nothing.
std::string data_problem(const std::vector<std::string>& where);

// The conditions of GET /v1/runs as an object of a body; `status` may also be a list.
store::RunFilter read_run_filter(Body& body);

}  // namespace pawl::api
