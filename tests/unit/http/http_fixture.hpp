#pragma once

#include "http/client.hpp"
#include "http/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace pawl::http {

using namespace std::chrono_literals;

// Work that a test started and has not waited for yet.
template <class T>
struct Started {
    std::optional<T> value;
    std::exception_ptr failed;
    bool done() const { return value.has_value() || failed != nullptr; }
};

class HttpTest : public ::testing::Test {
protected:
    asio::io_context io;

    template <class T>
    std::shared_ptr<Started<T>> start(asio::awaitable<T> work) {
        auto started = std::make_shared<Started<T>>();
        auto ended = [started](std::exception_ptr failed, T value) {
            started->failed = failed;
            if (!failed) started->value.emplace(std::move(value));
        };
        asio::co_spawn(io, std::move(work), std::move(ended));
        return started;
    }

    // Runs the loop until `condition` holds; the deadline only ends a test that is broken.
    template <class Condition>
    void run_until(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        io.restart();
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) {
                throw std::runtime_error("the test waited 20 s in vain");
            }
            io.run_one_for(100ms);
            if (io.stopped()) io.restart();
        }
    }

    template <class T>
    T run(asio::awaitable<T> work) {
        auto started = start(std::move(work));
        run_until([&] { return started->done(); });
        if (started->failed) std::rethrow_exception(started->failed);
        return std::move(*started->value);
    }

    void run(asio::awaitable<void> work) { run(valued(std::move(work))); }

    static asio::awaitable<bool> valued(asio::awaitable<void> work) {
        co_await std::move(work);
        co_return true;
    }

    // Calls of tests stay on this machine.
    static ClientOptions anywhere() {
        ClientOptions options;
        options.outbound = Outbound::anywhere();
        return options;
    }

    static std::string url(std::uint16_t port, std::string_view path = "/") {
        return fmt::format("http://127.0.0.1:{}{}", port, path);
    }
};

}  // namespace pawl::http
