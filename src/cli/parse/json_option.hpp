#pragma once

#include "base/exact_json.hpp"
#include "cli/parse/input.hpp"

#include <string>

namespace pawl::cli {

// What an option such as --data stands for, parsed; null when nothing was given.
inline Result<json::value> read_json(const std::string& given, const char* option = "--data") {
    constexpr std::size_t bytes_max = 1 << 20;
    if (given.empty()) return json::value();
    const auto text = read_data(given, bytes_max);
    if (!text) return text.error();
    auto parsed = parse_exact_json(*text);
    if (!parsed) return std::move(parsed.error()).with("option", option);
    return parsed;
}

// The same of --data as the input of a run.
inline Result<json::value> read_input(const std::string& given) {
    auto input = read_json(given);
    if (!input || input->is_null() || input->is_object()) return input;
    return Error{Errc::invalid, "--data: the input must be a JSON object, like {\"a\": 1}", {}};
}

}  // namespace pawl::cli
