#include "pg/endings.hpp"

#include "base/log.hpp"
#include "pg/error.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace pawl::pg {

namespace {

constexpr Duration limit = std::chrono::seconds(10);
constexpr Duration pause = std::chrono::seconds(1);

}  // namespace

void Endings::add(int pid, std::function<void()> gone) {
    left_.push_back({pid, std::move(gone)});
    if (std::exchange(working_, true)) return;
    asio::co_spawn(
        executor_,
        [self = shared_from_this()]() -> asio::awaitable<void> { co_await self->work(); },
        [](std::exception_ptr failed) {
            if (failed) log::error("ending statements of steps has stopped", {});
        }
    );
}

asio::awaitable<void> Endings::work() {
    while (!left_.empty()) {
        const bool last = closed_;
        try {
            co_await end_all();
        } catch (const std::exception& failure) {
            log::warn(
                "statements of steps that go on after their time could not be ended",
                {log::field("backends", left_.size()), log::field("error", failure.what())}
            );
        }
        if (left_.empty() || last) break;
        asio::steady_timer timer(executor_, pause);
        boost::system::error_code woken;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    working_ = false;
}

asio::awaitable<void> Endings::end_all() {
    const auto connection = co_await Connection::connect(options_);
    for (std::size_t tries = left_.size(); tries > 0 && !left_.empty(); --tries) {
        Ending next = std::move(left_.front());
        left_.pop_front();
        bool ended = false;
        std::exception_ptr failed;
        try {
            // In a transaction of its own, so that nothing else is called before.
            std::vector<Statement> one(1);
            one[0].query = &end_backend_;
            one[0].params.add(std::int32_t{next.pid});
            one[0].own_transaction = true;
            const auto rows = co_await connection->run_all(std::move(one), limit);
            ended = rows[0].size() == 0 || rows[0].boolean(0, 0);
        } catch (...) {
            failed = std::current_exception();
        }
        if (ended) {
            next.gone();
        } else {
            left_.push_back(std::move(next));
        }
        if (failed) std::rethrow_exception(failed);
    }
}

}  // namespace pawl::pg
