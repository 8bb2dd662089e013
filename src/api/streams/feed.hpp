#pragma once

#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "engine/services/keeper.hpp"
#include "store/pg/event_tail.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace pawl::api {

namespace asio = boost::asio;

// What happens in all runs of a tenant, read once for all listeners. Keeps the last few thousand
// events; a listener that falls behind them learns that it missed some.
class Feed {
public:
    struct Reader {
        std::uint64_t next = 0;  // number of the event it reads next
        std::function<void()> wake;
    };

    Feed(asio::any_io_executor executor, store::EventTail& tail, store::Tenant tenant)
        : tail_(tail), tenant_(tenant), gate_(executor) {}

    // From now on.
    std::shared_ptr<Reader> listen(std::function<void()> wake);
    // The next event, or null; `missed` when some were dropped before it.
    const store::TailEvent* next(Reader& reader, bool& missed);
    // How far the feed has read.
    Instant position() const { return position_; }
    // Until it is cancelled.
    asio::awaitable<void> run();

private:
    void add(std::vector<store::TailEvent> events);

    store::EventTail& tail_;
    store::Tenant tenant_;
    engine::Gate gate_;
    Instant position_{};
    std::uint64_t first_ = 0;  // number of the oldest event kept
    std::deque<store::TailEvent> kept_;
    std::vector<std::weak_ptr<Reader>> readers_;
    Complaint trouble_{"the log could not be followed"};
};

// One feed for each tenant with listeners.
class Feeds {
public:
    Feeds(asio::any_io_executor executor, store::EventTail& tail, engine::Keeper& keeper)
        : executor_(executor), tail_(tail), keeper_(keeper) {}

    Feed& of(store::Tenant tenant);

private:
    asio::any_io_executor executor_;
    store::EventTail& tail_;
    engine::Keeper& keeper_;
    std::map<std::int32_t, Feed> feeds_;
};

}  // namespace pawl::api
