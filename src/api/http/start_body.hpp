#pragma once

#include "api/http/problem.hpp"
#include "app/runs/start_params.hpp"

#include <string>
#include <vector>

namespace pawl::api {

// The body of a start; what is wrong with it goes into `places`.
app::StartParams read_start(
    const json::object& object, std::vector<ProblemPlace>& places, const std::string& pointer = ""
);

}  // namespace pawl::api
