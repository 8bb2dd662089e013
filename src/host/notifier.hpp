#pragma once

#include "base/log.hpp"
#include "engine/async/gate.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>

namespace pawl::host {

namespace asio = boost::asio;

// Tells other processes that there is work: at once when it has been quiet, then at most once in 20
// ms. Never inside a data transaction. `send` is one NOTIFY; losing it costs latency only.
class Notifier {
public:
    Notifier(asio::any_io_executor executor, std::function<asio::awaitable<void>()> send)
        : gate_(std::move(executor)), send_(std::move(send)) {}

    void request() {
        wanted_ = true;
        gate_.open();
    }

    asio::awaitable<void> run() {
        constexpr auto quiet = std::chrono::milliseconds(20);
        for (;;) {
            while (!wanted_) co_await gate_.wait();
            wanted_ = false;
            const auto sent = Steady::now();
            try {
                co_await send_();
            } catch (const Failure& failure) {
                log::debug("a wake-up was not sent", {log::field("error", failure.what())});
            }
            engine::Gate pause(gate_.executor());
            co_await pause.wait(sent + quiet);
        }
    }

private:
    engine::Gate gate_;
    std::function<asio::awaitable<void>()> send_;
    bool wanted_ = false;
};

}  // namespace pawl::host
