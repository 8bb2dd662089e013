#include "engine/async/coroutine_group.hpp"

#include "base/log.hpp"
#include "engine/async/gate.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <list>
#include <vector>

namespace pawl::engine {

struct CoroutineGroup::Impl : std::enable_shared_from_this<CoroutineGroup::Impl> {
    explicit Impl(asio::any_io_executor given) : executor(given), ended(given) {}

    asio::any_io_executor executor;
    std::list<asio::cancellation_signal> running;
    Gate ended;
    bool cancelled = false;

    void finish(std::list<asio::cancellation_signal>::iterator task, std::exception_ptr thrown) {
        running.erase(task);
        if (running.empty()) ended.open();
        if (!thrown || cancelled) return;
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception& error) {
            log::error("a task ended with an error", {log::field("error", error.what())});
        } catch (...) {
            log::error("a task ended with something thrown that is not an exception");
        }
    }
};

CoroutineGroup::CoroutineGroup(asio::any_io_executor executor)
    : impl_(std::make_shared<Impl>(std::move(executor))) {}

CoroutineGroup::~CoroutineGroup() {
    cancel();
}

void CoroutineGroup::spawn(asio::awaitable<void> task) {
    const auto place = impl_->running.emplace(impl_->running.end());
    asio::co_spawn(
        impl_->executor,
        std::move(task),
        asio::bind_cancellation_slot(
            place->slot(),
            [impl = impl_, place](std::exception_ptr thrown) {
                impl->finish(place, std::move(thrown));
            }
        )
    );
}

void CoroutineGroup::cancel() {
    impl_->cancelled = true;
    // A cancelled task may end at once and leave the list: collect first.
    std::vector<asio::cancellation_signal*> all;
    for (auto& signal : impl_->running) all.push_back(&signal);
    for (auto* signal : all) {
        asio::post(impl_->executor, [impl = impl_, signal] {
            for (auto& candidate : impl->running) {
                if (&candidate != signal) continue;
                candidate.emit(asio::cancellation_type::terminal);
                return;
            }
        });
    }
}

asio::awaitable<void> CoroutineGroup::join() {
    const auto impl = impl_;
    while (!impl->running.empty()) co_await impl->ended.wait();
}

asio::awaitable<bool> CoroutineGroup::join_until(Steady::time_point until) {
    const auto impl = impl_;
    while (!impl->running.empty() && Steady::now() < until) co_await impl->ended.wait(until);
    const bool all = impl->running.empty();
    if (!all) {
        cancel();
        co_await join();
    }
    co_return all;
}

asio::awaitable<void> CoroutineGroup::join_or_cancel() {
    std::exception_ptr interrupted;
    try {
        co_await join();
    } catch (const boost::system::system_error&) {
        interrupted = std::current_exception();
    }
    if (!interrupted) co_return;
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    cancel();
    co_await join();
    std::rethrow_exception(interrupted);
}

std::size_t CoroutineGroup::size() const {
    return impl_->running.size();
}

}  // namespace pawl::engine
