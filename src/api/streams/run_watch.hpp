#pragma once

#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "store/pg/event_tail.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace pawl::api {

namespace asio = boost::asio;

// Follows the logs of all watched runs with one query a poll.
class RunWatch {
public:
    struct Reader {
        RunId run;
        std::int32_t seq = -1;  // read to here
        std::deque<Event> news;
        std::function<void()> wake;  // there are news
    };

    RunWatch(asio::any_io_executor executor, store::EventTail& tail)
        : tail_(tail), gate_(executor) {}

    // News come for as long as the reader is kept.
    std::shared_ptr<Reader> follow(RunId run, std::int32_t after, std::function<void()> wake);
    // Something happened in this process: look soon.
    void look() { gate_.open(); }
    std::size_t readers() const { return readers_.size(); }
    // Until it is cancelled.
    asio::awaitable<void> run();

private:
    asio::awaitable<void> read_news();
    std::vector<std::shared_ptr<Reader>> present();

    store::EventTail& tail_;
    engine::Gate gate_;
    std::vector<std::weak_ptr<Reader>> readers_;
    Complaint trouble_{"watched runs could not be read"};
};

}  // namespace pawl::api
