#pragma once

#include "api/http/api_call.hpp"
#include "api/http/problem.hpp"
#include "api/services.hpp"

#include <string>

namespace pawl::api {

namespace asio = boost::asio;

// The task of a path; 404 when the text cannot be an id.
Uuid task_param(const Call& call);

// Throws Refused (404) when there is no such task, or it is another tenant's.
asio::awaitable<store::HumanTask> find_task(Services& services, store::Tenant tenant, Uuid task);

// For whom a caller acts. Who came with a token of their own acts for themselves; a program with a
// key may say for whom.
std::string acting_for(const Call& call, const std::optional<std::string>& said);

// What is wrong with what would be approved: 422. Nothing when the form is filled in as asked.
std::optional<Problem> form_problem(const store::HumanTask& task, const store::TaskAction& action);
// Why something was not done: 403, 404, 409.
Problem answer_problem(
    store::TaskAnswer answer, const store::HumanTask& task, const store::TaskAction& action
);

// Does it and says what became of the task; throws Refused when it is not possible: 403, 404, 409,
// 422 when what was filled in is not what the form asks for.
asio::awaitable<store::HumanTask> act(
    Services& services, store::Tenant tenant, Uuid task, store::TaskAction action
);

}  // namespace pawl::api
