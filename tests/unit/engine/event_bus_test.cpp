#include "engine/core/event_bus.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

std::vector<store::LogRow> rows(EventType type, int count) {
    std::vector<store::LogRow> all;
    for (int i = 0; i < count; ++i) {
        Event event;
        event.type = type;
        event.seq = i;
        all.push_back({RunId{}, event});
    }
    return all;
}

TEST(EventBus, SubscribersGetWhatTheyAskedForInOrder) {
    EventBus bus;
    const auto all = bus.subscribe();
    const auto ends = bus.subscribe({EventType::run_completed});
    bus.publish(rows(EventType::step_completed, 2));
    bus.publish(rows(EventType::run_completed, 1));
    EXPECT_EQ(all->next()->event.seq, 0);
    EXPECT_EQ(all->next()->event.seq, 1);
    EXPECT_EQ(all->next()->event.type, EventType::run_completed);
    EXPECT_FALSE(all->next());
    EXPECT_EQ(ends->next()->event.type, EventType::run_completed);
    EXPECT_FALSE(ends->next());
}

TEST(EventBus, ASubscriberThatDoesNotReadHoldsNoOtherUp) {
    EventBus bus;
    const auto slow = bus.subscribe({}, 3);
    int woken = 0;
    slow->on_ready = [&] { ++woken; };
    bus.publish(rows(EventType::step_completed, 10));
    EXPECT_EQ(slow->dropped(), 7U);
    EXPECT_EQ(woken, 1);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(slow->next()->event.seq, i);
    bus.publish(rows(EventType::step_completed, 1));
    EXPECT_TRUE(slow->next());
    EXPECT_EQ(woken, 2);
}

TEST(EventBus, ListensAsLongAsTheChannelIsHeld) {
    EventBus bus;
    auto channel = bus.subscribe();
    const std::weak_ptr<EventChannel> gone = channel;
    channel.reset();
    bus.publish(rows(EventType::step_completed, 1));
    EXPECT_TRUE(gone.expired());
}

}  // namespace
}  // namespace pawl::engine
