#pragma once

#include "jq/jq_pool.hpp"
#include "model/definition.hpp"
#include "model/problems.hpp"
#include "pg/pool.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

// Whether a function for `code` steps is registered.
using KnowsCode = std::function<bool(std::string_view)>;
// Those that every program has.
bool is_builtin(std::string_view function);

// What reading a definition cannot tell, and what only new ones must obey: which of its jq programs
// do not compile, which functions there are not, which statements are not SQL, and which steps let
// data choose the host that gets a credential (they fail). A
// child compiles programs, because some make libjq abort. Where there is no child, no program is
// found wrong.
// The pool outlives the call.
asio::awaitable<std::vector<Problem>> check_programs(
    jq::Pool& pool, Definition definition, std::int32_t tenant, KnowsCode knows = is_builtin
);

// Which statements of its sql steps the server cannot read. The pool outlives the call.
asio::awaitable<std::vector<Problem>> check_statements(pg::Pool& pool, Definition definition);

// check_programs for a command, which may wait.
std::vector<Problem> check_programs_now(Definition definition, jq::PoolOptions options);

}  // namespace pawl::steps
