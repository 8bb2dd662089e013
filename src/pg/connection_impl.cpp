#include "pg/connection_impl.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace pawl::pg {

namespace {

// libpq ends its messages with a newline, and repeats the severity.
std::string tidy_message(const char* text) {
    std::string message = text == nullptr ? "" : text;
    while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
        message.pop_back();
    return message.empty() ? "the connection to Postgres failed" : message;
}

std::string result_field(const PGresult* result, int code) {
    const char* text = PQresultErrorField(result, code);
    return text == nullptr ? "" : text;
}

}  // namespace

Connection::Impl::~Impl() {
    drop_socket();
}

void Connection::Impl::adopt_socket() {
    const int fd = PQsocket(conn.get());
    if (fd < 0) fail_connection("");
    if (descriptor.is_open() && descriptor.native_handle() == fd) return;
    drop_socket();
    descriptor.assign(fd);
}

// PGconn owns the file descriptor: give it back before PQfinish closes it, or a reused number would
// get alien events.
void Connection::Impl::drop_socket() {
    if (descriptor.is_open()) descriptor.release();
}

asio::awaitable<void> Connection::Impl::wait(For what) {
    boost::system::error_code failed;
    using Wait = asio::posix::stream_descriptor;
    if (what == For::reading) {
        co_await descriptor.async_wait(
            Wait::wait_read, asio::redirect_error(asio::use_awaitable, failed)
        );
    } else if (what == For::writing) {
        co_await descriptor.async_wait(
            Wait::wait_write, asio::redirect_error(asio::use_awaitable, failed)
        );
    } else {
        // Waiting for room to write alone can deadlock with a server that is itself blocked on
        // sending.
        auto group = asio::experimental::make_parallel_group(
            descriptor.async_wait(Wait::wait_read, asio::deferred),
            descriptor.async_wait(Wait::wait_write, asio::deferred)
        );
        co_await group.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    }
    if (limit_hit) fail("no answer from Postgres within the time limit", "");
    if (failed) fail("waiting for Postgres was interrupted: " + failed.message(), "");
}

asio::awaitable<void> Connection::Impl::flush() {
    for (;;) {
        const int left = PQflush(conn.get());
        if (left == 0) co_return;
        if (left < 0) fail_connection("");
        co_await wait(For::both);
        if (PQconsumeInput(conn.get()) == 0) fail_connection("");
    }
}

asio::awaitable<ResultPtr> Connection::Impl::next_result() {
    while (PQisBusy(conn.get()) != 0) {
        co_await wait(For::reading);
        if (PQconsumeInput(conn.get()) != 0) continue;
        // A server that ends a session says why before it hangs up: that is worth more than the
        // news that it hung up.
        ResultPtr last_words(PQgetResult(conn.get()));
        if (!last_words || PQresultErrorField(last_words.get(), PG_DIAG_SQLSTATE) == nullptr) {
            fail_connection("");
        }
        broken = true;
        co_return last_words;
    }
    co_return ResultPtr(PQgetResult(conn.get()));
}

void Connection::Impl::fail_connection(std::string_view query) {
    fail(tidy_message(PQerrorMessage(conn.get())), query);
}

void Connection::Impl::fail(std::string message, std::string_view query) {
    broken = true;
    throw PgError({.message = std::move(message), .query = std::string(query)});
}

void Connection::Impl::require_replicated(std::string_view query) {
    if (!unreplicated) return;
    fail("the commit's wait for a synchronous standby was cancelled; it may not be there", query);
}

PgError Connection::Impl::error_of(const PGresult* result, std::string_view query) {
    std::string message = result_field(result, PG_DIAG_MESSAGE_PRIMARY);
    if (message.empty()) message = tidy_message(PQresultErrorMessage(result));
    return PgError({
        .sqlstate = result_field(result, PG_DIAG_SQLSTATE),
        .message = std::move(message),
        .detail = result_field(result, PG_DIAG_MESSAGE_DETAIL),
        .hint = result_field(result, PG_DIAG_MESSAGE_HINT),
        .constraint = result_field(result, PG_DIAG_CONSTRAINT_NAME),
        .query = std::string(query),
        .position = result_field(result, PG_DIAG_STATEMENT_POSITION),
    });
}

Operation::Operation(Connection::Impl& impl, Duration limit) : impl_(impl) {
    if (impl.broken) impl.fail("this connection was cut short earlier and cannot be used", "");
    if (impl.options.round_trips) impl.options.round_trips->fetch_add(1, std::memory_order_relaxed);
    impl.limit_hit = false;
    impl.unreplicated = false;
    impl.timer.expires_after(limit);
    impl.timer.async_wait([weak = impl.weak_from_this()](boost::system::error_code cancelled) {
        const auto self = weak.lock();
        // A handler that was queued when a later operation re-armed the timer must not cut that one
        // short.
        if (cancelled || !self || self->timer.expiry() > Steady::now()) return;
        self->limit_hit = true;
        if (self->descriptor.is_open()) self->descriptor.cancel();
    });
}

Operation::~Operation() {
    impl_.timer.cancel();
    if (!done_) impl_.broken = true;
}

}  // namespace pawl::pg
