#pragma once

#include "base/clock.hpp"
#include "jq/frame.hpp"
#include "jq/jq_process.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pawl::jq {

namespace asio = boost::asio;

struct Request {
    Task task = Task::run;
    std::string program;
    std::string input;
    Duration limit{};
    Duration computing{};          // of processor time; 0: as much as the limit leaves
    std::function<bool()> wanted;  // asked again and again; none: until the end
};

// One child and the socket to it. One exchange at a time; one that was cut short (its time was
// over, the child died, the coroutine was cancelled or destroyed) leaves a channel that is good for
// nothing more.
class Channel {
public:
    Channel(asio::any_io_executor executor, const std::string& binary);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    // Nothing when the child was killed because its time was over or its answer is not wanted any
    // more, or when it ended by itself.
    asio::awaitable<std::optional<Reply>> exchange(Request request);

    bool usable() const { return !broken_; }
    // Whether the child still waits for requests; cheap.
    bool alive();
    bool timed_out() const;
    bool unwanted() const;
    // After an exchange that failed: the signal that ended the child.
    int ended_by();

private:
    asio::awaitable<Reply> send_and_read(Request request);

    struct Shared;
    static void watch(const std::shared_ptr<Shared>& shared);
    // The handler of the timer, which may run after this is gone, looks whether it is still there.
    std::shared_ptr<Shared> shared_;
    bool broken_ = false;
};

}  // namespace pawl::jq
