#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace pawl {

// Calls `work` on a thread of `threads`, and brings what it returns or throws back to the executor
// of the coroutine that waits. A cancellation does not cross: the coroutine waits for the end of
// the work, and notices then. (A coroutine spawned on another thread must not be awaited where it
// can be cancelled: Asio reaches into it from this thread while it ends on the other.)
template <class Work, class Made = std::invoke_result_t<Work&>>
boost::asio::awaitable<Made> on_thread(boost::asio::thread_pool& threads, Work work) {
    namespace asio = boost::asio;
    const auto begin = [&threads](auto waiting, Work given) {
        asio::post(threads, [waiting = std::move(waiting), given = std::move(given)]() mutable {
            std::exception_ptr failed;
            Made made{};
            try {
                made = given();
            } catch (...) {
                failed = std::current_exception();
            }
            // Counts as work there, so that its context does not end before post() has returned.
            const auto home = asio::prefer(
                asio::get_associated_executor(waiting), asio::execution::outstanding_work.tracked
            );
            asio::post(
                home,
                [waiting = std::move(waiting), failed, made = std::move(made)]() mutable {
                    std::move(waiting)(failed, std::move(made));
                }
            );
        });
    };
    co_return co_await asio::
        async_initiate<const asio::use_awaitable_t<>, void(std::exception_ptr, Made)>(
            begin, asio::use_awaitable, std::move(work)
        );
}

}  // namespace pawl
