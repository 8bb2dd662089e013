#pragma once

#include "http/client.hpp"
#include "pg/pool.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace pawl::embed {

namespace asio = boost::asio;

// An event loop with a connection and an HTTP client, for code that blocks. One call at a time.
class Session {
public:
    explicit Session(const pg::ConnectOptions& connect)
        : pool_(loop_.get_executor(), {connect, 1}), client_(loop_.get_executor()) {}

    pg::Pool& pool() { return pool_; }
    http::Client& client() { return client_; }

    // Runs a coroutine to its end on this thread; throws what it throws. Cancels it when `stop` is
    // asked for, from whichever thread.
    template <class T>
    T run(asio::awaitable<T> task, const std::stop_token& stop = {}) {
        std::exception_ptr failed;
        std::optional<T> result;
        // Shared: a cancel that comes as the work ends is still in the queue then.
        const auto cancel = std::make_shared<asio::cancellation_signal>();
        const auto ended = [&](std::exception_ptr thrown) {
            failed = thrown;
            loop_.stop();
        };
        loop_.restart();
        asio::co_spawn(
            loop_,
            keep(std::move(task), result),
            asio::bind_cancellation_slot(cancel->slot(), ended)
        );
        const std::stop_callback when(stop, [this, cancel] {
            asio::post(loop_, [cancel] { cancel->emit(asio::cancellation_type::terminal); });
        });
        loop_.run();
        if (failed) std::rethrow_exception(failed);
        return std::move(*result);
    }

private:
    // T need not have a default, as results of co_spawn do. `result` outlives it: run() waits.
    template <class T>
    static asio::awaitable<void> keep(asio::awaitable<T> task, std::optional<T>& result) {
        result.emplace(co_await std::move(task));
    }

    asio::io_context loop_{1};
    pg::Pool pool_;
    http::Client client_;
};

// Sessions that threads borrow; as many as there are calls at once. Any thread.
class Sessions {
public:
    explicit Sessions(pg::ConnectOptions connect) : connect_(std::move(connect)) {}

    // `task` makes a coroutine for a session; everything that it refers to outlives the call.
    template <class T>
    T run(
        const std::function<asio::awaitable<T>(Session&)>& task, const std::stop_token& stop = {}
    ) {
        std::unique_ptr<Session> session = take();
        // One that failed may be in any state: it is not used again.
        T result = session->run(task(*session), stop);
        give_back(std::move(session));
        return result;
    }

    // One statement.
    pg::Rows ask(const pg::Query& query, pg::Params params);
    // On behalf of a tenant: it sees no rows of others, whatever it asks for.
    pg::Rows ask_as(int tenant, const pg::Query& query, pg::Params params);

private:
    std::unique_ptr<Session> take();
    void give_back(std::unique_ptr<Session> session);

    pg::ConnectOptions connect_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Session>> idle_;
};

}  // namespace pawl::embed
