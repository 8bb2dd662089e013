#pragma once

#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "store/repos/funnels.hpp"

namespace pawl::engine {

// Counts what happens in journeys, behind the log: looks again and again what was committed since
// its last look. One process of all does it at a time; a look is one transaction, so one that dies
// in the middle has done nothing. Goals that hang on a filter are counted after that: what is in
// doubt stays until it is settled, and a run reaches a goal once. Lives on one thread; the funnels
// outlive it.
class Projector {
public:
    Projector(asio::any_io_executor executor, store::Funnels& funnels, store::Bucket bucket)
        : executor_(executor), funnels_(funnels), bucket_(bucket) {}

    // Until it is cancelled.
    asio::awaitable<void> run();

private:
    asio::awaitable<bool> settle_goals();

    asio::any_io_executor executor_;
    store::Funnels& funnels_;
    store::Bucket bucket_;
    Complaint trouble_{"journeys could not be counted"};
};

// Whether a filter lets an event pass; null: it lets all of them. Pure.
bool is_goal(const json::value& filter, const json::value& event);

}  // namespace pawl::engine
