#pragma once

#include "base/error.hpp"
#include "base/log.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace pawl::engine {

// The database gave up waiting for a row or table that another transaction has locked: nothing was
// done.
inline bool waited_in_vain(const Failure& failure) {
    const auto& context = failure.error().context;
    return std::any_of(context.begin(), context.end(), [](const auto& one) {
        return one.first == "sqlstate" && one.second == "55P03";
    });
}

// The problem of a row whose tenant holds a transaction open. What else there is of that tenant
// would wait as well.
inline constexpr std::string_view waits_for_tenant =
    "it waits for a transaction that holds what it needs";

// Carries out what concerns one row of a batch: empty, or why that row is to be set aside, so that
// the others of the batch go on. Throws when the row is not to blame: the database cannot be
// reached, or the coroutine is cancelled. `work` makes the coroutine, and outlives it here. `what`
// is for the log: which row, and of which tenant.
template <class Work>
boost::asio::awaitable<std::string> problem_of(Work work, std::string what) {
    std::string problem;
    try {
        co_await work();
    } catch (const Failure& failure) {
        const bool waited = waited_in_vain(failure);
        if (info(failure.error().code).retryable && !waited) throw;
        problem = waited ? std::string(waits_for_tenant) : failure.what();
    } catch (const boost::system::system_error& error) {
        if (error.code() == boost::asio::error::operation_aborted) throw;
        problem = error.what();
    } catch (const std::exception& error) {
        problem = error.what();
    }
    if (!problem.empty()) {
        log::error(
            "one row of a batch is set aside",
            {log::field("what", what), log::field("error", problem)}
        );
    }
    co_return problem;
}

}  // namespace pawl::engine
