#include "engine/services/keeper.hpp"

#include "base/log.hpp"
#include "engine/async/gate.hpp"

#include <algorithm>
#include <exception>

namespace pawl::engine {

namespace {

// So many failures in a row, each after less than a steady time: the service does not do its work.
constexpr int failures_of_the_sick = 3;
constexpr Duration steady_time = std::chrono::seconds(15);

std::string what_was_thrown(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "something was thrown that is not an exception";
    }
}

}  // namespace

ServiceBoard::Place& ServiceBoard::add(const std::string& service) {
    metrics_.service_restarted(service, 0);
    const std::lock_guard lock(mutex_);
    return places_.emplace_back(Place{service});
}

void ServiceBoard::failed(Place& place, int in_a_row) {
    metrics_.service_restarted(place.service, 1);
    const std::lock_guard lock(mutex_);
    place.failures = in_a_row;
    place.failed_at = Steady::now();
}

std::vector<std::string> ServiceBoard::failing() const {
    std::vector<std::string> names;
    const std::lock_guard lock(mutex_);
    for (const Place& place : places_) {
        const bool lately = Steady::now() < place.failed_at + steady_time;
        const bool listed = std::find(names.begin(), names.end(), place.service) != names.end();
        if (place.failures >= failures_of_the_sick && lately && !listed) {
            names.push_back(place.service);
        }
    }
    return names;
}

Keeper::Keeper(asio::any_io_executor executor, KeeperOptions options)
    : executor_(executor), options_(std::move(options)), tasks_(executor) {}

void Keeper::keep(std::string service, Loop loop) {
    tasks_.spawn(go_on(std::move(service), std::move(loop)));
}

void Keeper::cancel() {
    cancelled_ = true;
    tasks_.cancel();
}

// Whether it was cancelled is asked of a flag: a loop may have reset its own cancellation.
asio::awaitable<void> Keeper::go_on(std::string service, Loop loop) {
    ServiceBoard::Place* const place = options_.board ? &options_.board->add(service) : nullptr;
    Duration pause = options_.pause_min;
    int failures = 0;
    for (;;) {
        const auto begun = Steady::now();
        std::exception_ptr thrown;
        try {
            if (options_.before) options_.before(service);
            co_await loop();
            co_return;
        } catch (...) {
            thrown = std::current_exception();
        }
        if (cancelled_) co_return;
        if (Steady::now() - begun >= steady_time) {
            failures = 0;
            pause = options_.pause_min;
        }
        ++failures;
        if (place != nullptr) options_.board->failed(*place, failures);
        log::error(
            "a service restarts after an unexpected error",
            {log::field("service", service),
             log::field("failures", failures),
             log::field("error", what_was_thrown(thrown))}
        );
        Gate gate(executor_);
        co_await gate.wait(Steady::now() + pause);
        pause = std::min(pause * 2, options_.pause_max);
    }
}

}  // namespace pawl::engine
