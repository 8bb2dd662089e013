#include "app/events/publisher.hpp"

#include <map>
#include <optional>

namespace pawl::app {

Publisher::Publisher(asio::any_io_executor executor, store::Store& store)
    : store_(store), rounds_(executor, [this](std::vector<Parcel> parcels) {
          return deliver(std::move(parcels));
      }) {}

asio::awaitable<std::vector<bool>> Publisher::publish(
    store::Bucket bucket, std::vector<store::OutsideEvent> events
) {
    if (events.empty()) co_return std::vector<bool>();
    const store::TenantId tenant = events.front().tenant;
    Parcel parcel{bucket, std::move(events)};
    auto answer = co_await rounds_.ask(tenant, std::move(parcel));
    if (answer.refused) throw Failure(std::move(*answer.refused));
    co_return std::move(answer.fresh);
}

// After those of several callers were refused together: one of them is at fault.
asio::awaitable<Publisher::Answers> Publisher::deliver_alone(Parcel parcel) {
    Answers answers;
    try {
        answers.fresh = co_await store_.publish_events(parcel.bucket, std::move(parcel.events));
    } catch (const Failure& failure) {
        answers.refused = failure.error();
    }
    co_return answers;
}

asio::awaitable<std::vector<Publisher::Answers>> Publisher::deliver(std::vector<Parcel> parcels) {
    std::vector<Answers> answers(parcels.size());
    std::map<store::Bucket, std::vector<std::size_t>> by_bucket;
    for (std::size_t i = 0; i < parcels.size(); ++i) by_bucket[parcels[i].bucket].push_back(i);
    for (const auto& [bucket, places] : by_bucket) {
        std::vector<store::OutsideEvent> events;
        for (const std::size_t place : places) {
            const auto& own = parcels[place].events;
            events.insert(events.end(), own.begin(), own.end());
        }
        std::optional<Failure> refused;
        std::vector<bool> fresh;
        try {
            fresh = co_await store_.publish_events(bucket, std::move(events));
        } catch (const Failure& failure) {
            if (places.size() == 1 || info(failure.error().code).retryable) throw;
            refused = failure;
        }
        std::size_t next = 0;
        for (const std::size_t place : places) {
            if (refused) {
                answers[place] = co_await deliver_alone(std::move(parcels[place]));
                continue;
            }
            for (std::size_t i = 0; i < parcels[place].events.size(); ++i) {
                answers[place].fresh.push_back(fresh[next++]);
            }
        }
    }
    on_published();
    co_return answers;
}

}  // namespace pawl::app
