#include "jq/jq_channel.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace pawl::jq {

namespace {

constexpr Duration look_every = std::chrono::milliseconds(100);

std::uint32_t whole_milliseconds(Duration limit) {
    const auto count = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    constexpr std::int64_t day = 86'400'000;
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 1, day));
}

}  // namespace

struct Channel::Shared {
    Shared(asio::any_io_executor executor, const std::string& binary)
        : process(binary), socket(executor), timer(executor) {
        socket.assign(asio::local::stream_protocol(), process.take_socket());
    }

    Process process;
    asio::local::stream_protocol::socket socket;
    asio::steady_timer timer;
    std::uint64_t call = 0;  // tells a late timer that it was meant for another one
    std::function<bool()> wanted;
    Steady::time_point deadline;
    bool timed_out = false;
    bool unwanted = false;
};

// Kills the child when its time is over, or its answer is not wanted any more.
void Channel::watch(const std::shared_ptr<Shared>& shared) {
    const auto soon = Steady::now() + look_every;
    shared->timer.expires_at(shared->wanted ? std::min(soon, shared->deadline) : shared->deadline);
    const std::weak_ptr<Shared> weak = shared;
    const auto call = shared->call;
    shared->timer.async_wait([weak, call](boost::system::error_code cancelled) {
        const auto still = weak.lock();
        if (cancelled || !still || still->call != call) return;
        still->timed_out = Steady::now() >= still->deadline;
        still->unwanted = !still->timed_out && !still->wanted();
        if (still->timed_out || still->unwanted) return still->process.kill();
        watch(still);
    });
}

Channel::Channel(asio::any_io_executor executor, const std::string& binary)
    : shared_(std::make_shared<Shared>(std::move(executor), binary)) {}

Channel::~Channel() {
    shared_->timer.cancel();
    boost::system::error_code ignored;
    shared_->socket.close(ignored);
    shared_->process.kill();
}

bool Channel::timed_out() const {
    return shared_->timed_out;
}

bool Channel::unwanted() const {
    return shared_->unwanted;
}

int Channel::ended_by() {
    // Its socket is closed already, so this is a matter of microseconds.
    shared_->process.kill();
    return shared_->process.reap();
}

bool Channel::alive() {
    char unexpected = 0;
    const auto got = recv(
        shared_->socket.native_handle(), &unexpected, sizeof unexpected, MSG_PEEK | MSG_DONTWAIT
    );
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

asio::awaitable<std::optional<Reply>> Channel::exchange(Request request) {
    const auto shared = shared_;
    broken_ = true;
    ++shared->call;
    shared->wanted = std::move(request.wanted);
    shared->deadline = Steady::now() + request.limit;
    watch(shared);
    std::optional<Reply> reply;
    try {
        reply = co_await send_and_read(std::move(request));
    } catch (const boost::system::system_error& error) {
        // The end of the child is an outcome; being cancelled is not.
        if (error.code() == asio::error::operation_aborted) throw;
    }
    shared->timer.cancel();
    ++shared->call;
    shared->wanted = nullptr;
    const bool killed = shared->timed_out || shared->unwanted;
    if (reply && reply->answer != Answer::out_of_memory && !reply->last && !killed) broken_ = false;
    co_return reply;
}

asio::awaitable<Reply> Channel::send_and_read(Request request) {
    const auto shared = shared_;
    const RequestHead head{
        request.task,
        whole_milliseconds(request.limit),
        request.computing > Duration::zero() ? whole_milliseconds(request.computing) : 0,
        static_cast<std::uint32_t>(request.program.size()),
        static_cast<std::uint32_t>(request.input.size())};
    const std::array parts{
        asio::buffer(&head, sizeof head),
        asio::buffer(std::as_const(request.program)),
        asio::buffer(std::as_const(request.input))};
    co_await asio::async_write(shared->socket, parts, asio::use_awaitable);

    // Most replies come whole with the first read.
    std::string bytes(512, '\0');
    std::size_t have = 0;
    std::size_t need = sizeof(ReplyHead);
    ReplyHead reply;
    while (have < need) {
        have += co_await shared->socket.async_read_some(
            asio::buffer(bytes.data() + have, bytes.size() - have), asio::use_awaitable
        );
        if (have < sizeof reply) continue;
        std::memcpy(&reply, bytes.data(), sizeof reply);
        if (reply.bytes > output_bytes_max)
            throw boost::system::system_error(asio::error::invalid_argument);
        need = sizeof reply + reply.bytes;
        if (bytes.size() < need) bytes.resize(need);
    }
    co_return Reply{reply.answer, bytes.substr(sizeof reply, reply.bytes), reply.last != 0};
}

}  // namespace pawl::jq
