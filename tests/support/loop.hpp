#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pawl::test {

namespace asio = boost::asio;

// Runs coroutines to their end from plain test code, on one io_context, within a limit. What they
// throw is thrown here.
class Loop {
public:
    static constexpr Duration limit_default = std::chrono::seconds(30);

    Loop() = default;
    // The thread that resolves host names may still hold an executor of this context after it has
    // answered; that counts as work, so running waits for it. Not for a task that went on for too
    // long: the test's objects that it uses are gone.
    ~Loop() {
        if (overdue_) return;
        context_.restart();
        context_.run_for(std::chrono::seconds(1));
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    template <class T>
    T run(asio::awaitable<T> task, Duration limit = limit_default) {
        return run_beside(
            std::move(task), [] {}, limit
        );
    }

    void run(asio::awaitable<void> task, Duration limit = limit_default) {
        run(with_value(std::move(task)), limit);
    }

    // Calls `beside` again and again while the task is under way, for what has to happen in the
    // middle of it.
    template <class T, class Beside>
    T run_beside(asio::awaitable<T> task, Beside beside, Duration limit = limit_default) {
        std::vector<asio::awaitable<T>> one;
        one.push_back(std::move(task));
        return std::move(run_all_beside(std::move(one), beside, limit).front());
    }

    // All at once; the results in the order of the tasks. Throws the first failure, after all have
    // ended.
    template <class T>
    std::vector<T> run_all(std::vector<asio::awaitable<T>> tasks, Duration limit = limit_default) {
        return run_all_beside(
            std::move(tasks), [] {}, limit
        );
    }

    asio::io_context& context() { return context_; }

private:
    template <class T, class Beside>
    std::vector<T> run_all_beside(
        std::vector<asio::awaitable<T>> tasks, Beside beside, Duration limit
    ) {
        // Shared: tasks that outlive the limit end later, when the context is destroyed.
        const auto outcomes = std::make_shared<std::vector<Outcome<T>>>(tasks.size());
        const auto left = std::make_shared<std::size_t>(tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            asio::co_spawn(
                context_,
                optional_of(std::move(tasks[i])),
                [outcomes, left, i](std::exception_ptr failed, std::optional<T> value) {
                    (*outcomes)[i] = {failed, std::move(value)};
                    --*left;
                }
            );
        }
        const auto deadline = Steady::now() + limit;
        while (*left > 0) {
            if (Steady::now() >= deadline) {
                overdue_ = true;
                throw Failure({Errc::timeout, "the test's coroutine did not end in time", {}});
            }
            context_.restart();
            context_.run_one_for(std::chrono::milliseconds(20));
            beside();
        }
        std::vector<T> values;
        for (auto& outcome : *outcomes) {
            if (outcome.failed) std::rethrow_exception(outcome.failed);
            values.push_back(std::move(*outcome.value));
        }
        return values;
    }

    template <class T>
    struct Outcome {
        std::exception_ptr failed;
        std::optional<T> value;
    };

    // co_spawn makes an empty result beside an exception; not every T has one.
    template <class T>
    static asio::awaitable<std::optional<T>> optional_of(asio::awaitable<T> task) {
        std::optional<T> value;
        value.emplace(co_await std::move(task));
        co_return value;
    }

    static asio::awaitable<bool> with_value(asio::awaitable<void> task) {
        co_await std::move(task);
        co_return true;
    }

    asio::io_context context_{1};
    bool overdue_ = false;
};

}  // namespace pawl::test
