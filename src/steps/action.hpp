#pragma once

#include "steps/sql_logins.hpp"
#include "store/repos/actions.hpp"

#include <functional>
#include <optional>

namespace pawl::steps {

using FindAction = std::function<
    asio::awaitable<std::optional<store::Action>>(std::int32_t tenant, std::string name)>;

// An `action` step: the statement that is registered under config.action, exactly once, with the
// values of config.params bound. Result: that of a sql step.
asio::awaitable<StepOutcome> run_action(
    SqlLogins& logins, const FindAction& find, StepRequest request
);

}  // namespace pawl::steps
