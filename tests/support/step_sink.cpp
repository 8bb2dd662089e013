#include "support/step_sink.hpp"

#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "support/runs.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <thread>

namespace pawl::test {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr const char* answer =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n"
    R"({"success":true,"data":{}})";

// The value of a header in a request's head; empty when it is not there.
std::string header(const std::string& head, const std::string& lower_name) {
    std::string lower = head;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    const auto at = lower.find("\r\n" + lower_name + ": ");
    if (at == std::string::npos) return "";
    const auto begin = at + lower_name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

}  // namespace

struct StepSink::Impl {
    explicit Impl(Duration given) : delay(given) {}

    Duration delay;
    asio::io_context loop{1};
    tcp::acceptor acceptor{loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
    std::uint16_t port = acceptor.local_endpoint().port();
    engine::CoroutineGroup tasks{loop.get_executor()};
    std::thread thread;
    mutable std::mutex mutex;
    std::map<std::string, int> seen;
    std::size_t requests = 0;
    std::vector<Visit> visits;

    asio::awaitable<void> accept() {
        for (;;) {
            tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
            socket.set_option(tcp::no_delay(true));
            tasks.spawn(serve(std::move(socket)));
        }
    }

    // Until the peer, which may be killed at any time, is gone.
    asio::awaitable<void> serve(tcp::socket socket) {
        std::string buffer;
        error_code gone;
        while (!gone) {
            const std::size_t head = co_await asio::async_read_until(
                socket,
                asio::dynamic_buffer(buffer),
                "\r\n\r\n",
                asio::redirect_error(asio::use_awaitable, gone)
            );
            if (gone) break;
            const std::string fields = buffer.substr(0, head);
            const std::string length = header(fields, "content-length");
            const std::size_t whole = head + (length.empty() ? 0 : std::stoul(length));
            if (buffer.size() < whole) {
                co_await asio::async_read(
                    socket,
                    asio::dynamic_buffer(buffer),
                    asio::transfer_exactly(whole - buffer.size()),
                    asio::redirect_error(asio::use_awaitable, gone)
                );
            }
            if (gone) break;
            buffer.erase(0, whole);
            const auto arrived = Steady::now();
            const std::string key = header(fields, "idempotency-key");
            note(key);
            if (delay > Duration::zero()) {
                engine::Gate pause(loop.get_executor());
                co_await pause.wait(Steady::now() + delay);
            }
            note({key, arrived, Steady::now()});
            co_await asio::async_write(
                socket,
                asio::buffer(answer, std::char_traits<char>::length(answer)),
                asio::redirect_error(asio::use_awaitable, gone)
            );
        }
    }

    void note(const std::string& key) {
        const std::lock_guard lock(mutex);
        ++seen[key];
        ++requests;
    }

    void note(Visit visit) {
        const std::lock_guard lock(mutex);
        visits.push_back(std::move(visit));
    }
};

StepSink::StepSink(Duration delay) : impl_(std::make_unique<Impl>(delay)) {
    impl_->tasks.spawn(impl_->accept());
    impl_->thread = std::thread([impl = impl_.get()] { impl->loop.run(); });
}

StepSink::~StepSink() {
    impl_->loop.stop();
    impl_->thread.join();
}

std::string StepSink::url() const {
    return "http://127.0.0.1:" + std::to_string(impl_->port);
}

std::map<std::string, int> StepSink::seen() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->seen;
}

std::vector<StepSink::Visit> StepSink::visits() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->visits;
}

std::size_t StepSink::requests() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->requests;
}

Definition effects(int steps) {
    Definition definition = line("effects", steps);
    for (Node& node : definition.nodes) {
        node.type = NodeType::function;
        node.config = {{"function", "effect"}};
        node.retry.attempts = 50;
        node.retry.base = std::chrono::milliseconds(50);
        node.retry.cap = std::chrono::seconds(1);
    }
    return definition;
}

std::vector<std::string> torn_logs(Session& session, int steps) {
    std::string types = "0";
    std::string nodes;
    for (int step = 1; step <= steps; ++step) {
        types += ",1";
        nodes += fmt::format("{}step_{}", step > 1 ? "," : "", step);
    }
    return session.column(fmt::format(
        "select run_id::text from pawl.event group by run_id"
        " having array_agg(type order by seq) filter (where type <> 2) <> '{{{},4}}'::smallint[]"
        "     or array_agg(node order by seq) filter (where type = 1) <> '{{{}}}'::text[]"
        "     or min(seq) <> 0 or max(seq) <> count(*) - 1",
        types,
        nodes
    ));
}

}  // namespace pawl::test
