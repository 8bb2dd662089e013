#include "api/streams/feed.hpp"

namespace pawl::api {

namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 250ms;
constexpr std::size_t kept_max = 10'000;
constexpr int events_max = 2000;

}  // namespace

std::shared_ptr<Feed::Reader> Feed::listen(std::function<void()> wake) {
    auto reader = std::make_shared<Reader>(Reader{first_ + kept_.size(), std::move(wake)});
    // Without listeners the feed has not read: skip what happened meanwhile.
    std::erase_if(readers_, [](const auto& known) { return known.expired(); });
    if (readers_.empty()) position_ = wall_now();
    readers_.push_back(reader);
    gate_.open();
    return reader;
}

const store::TailEvent* Feed::next(Reader& reader, bool& missed) {
    missed = reader.next < first_;
    if (missed) reader.next = first_;
    if (reader.next >= first_ + kept_.size()) return nullptr;
    return &kept_[static_cast<std::size_t>(reader.next++ - first_)];
}

void Feed::add(std::vector<store::TailEvent> events) {
    for (auto& event : events) kept_.push_back(std::move(event));
    while (kept_.size() > kept_max) {
        kept_.pop_front();
        ++first_;
    }
    for (const auto& known : readers_) {
        if (const auto reader = known.lock()) reader->wake();
    }
}

asio::awaitable<void> Feed::run() {
    for (;;) {
        std::erase_if(readers_, [](const auto& known) { return known.expired(); });
        if (readers_.empty()) {
            co_await gate_.wait();
            continue;
        }
        const auto begun = Steady::now();
        bool full = false;
        try {
            auto tail = co_await tail_.tail(tenant_, position_, events_max);
            position_ = tail.next_after;
            full = tail.events.size() >= static_cast<std::size_t>(events_max);
            if (!tail.events.empty()) add(std::move(tail.events));
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        // Behind: go on at once, but leave the database half of the time.
        const auto took = Steady::now() - begun;
        const Steady::duration pause = full ? took : std::max<Steady::duration>(look_every, took);
        engine::Gate rest(gate_.executor());
        co_await rest.wait(Steady::now() + pause);
    }
}

Feed& Feeds::of(store::Tenant tenant) {
    const auto known = feeds_.find(tenant.id);
    if (known != feeds_.end()) return known->second;
    Feed& feed = feeds_.try_emplace(tenant.id, executor_, tail_, tenant).first->second;
    keeper_.keep("feed", [&feed] { return feed.run(); });
    return feed;
}

}  // namespace pawl::api
