#pragma once

#include "jq/pool.hpp"
#include "model/definition.hpp"
#include "model/problems.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

// What reading a definition cannot tell: which of its jq programs do not compile. A child compiles
// them, because some programs make libjq abort. Where there is no child, nothing is found wrong.
// The pool outlives the call.
asio::awaitable<std::vector<Problem>> check_programs(
    jq::Pool& pool, Definition definition, std::int32_t tenant
);

// The same for a command, which may wait.
std::vector<Problem> check_programs_now(Definition definition, jq::PoolOptions options);

}  // namespace pawl::steps
