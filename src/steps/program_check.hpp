#pragma once

#include "jq/pool.hpp"
#include "model/definition.hpp"
#include "model/problems.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

// What reading a definition cannot tell, and what only new ones must obey: which of its jq programs
// do not compile, and which steps let data choose the host that gets a credential (they fail). A
// child compiles programs, because some make libjq abort. Where there is no child, no program is
// found wrong.
// The pool outlives the call.
asio::awaitable<std::vector<Problem>> check_programs(
    jq::Pool& pool, Definition definition, std::int32_t tenant
);

// The same for a command, which may wait.
std::vector<Problem> check_programs_now(Definition definition, jq::PoolOptions options);

}  // namespace pawl::steps
